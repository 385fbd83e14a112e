"""Small games for the tests of commands."""

NIM = """game "Nim";

option decimal start = 3 from 1 to 10;

global state table
{
  decimal left = start;
}

action take
{
  input decimal n from 1 to min(2, table.left);
  trigger on player choice;
  effect
  {
    table.left = table.left - n;
    if table.left == 0 win player;
    pass;
  }
}
"""

FAULTY_NIM = NIM.replace("win player", "win plyer")
DIVIDING_NIM = NIM.replace("pass;", "table.left = 1 / (table.left - table.left);\n    pass;")
