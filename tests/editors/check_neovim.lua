-- Opens a game with a mistake, repairs it, and asks for completion, hover, symbols and formatting. Prints JSON lines.

local file = vim.fn.argv(0)
vim.cmd("edit " .. vim.fn.fnameescape(file))
local buffer = vim.api.nvim_get_current_buf()

local function say(name, value) io.stdout:write(vim.json.encode({ name, value }) .. "\n") end

local function messages()
  return vim.tbl_map(function(one) return one.message end, vim.diagnostic.get(buffer))
end

local function ask(method, line, character)
  local parameters = {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    position = { line = line, character = character },
    options = { tabSize = 2, insertSpaces = true },
  }
  local answers = vim.lsp.buf_request_sync(buffer, method, parameters, 20000)
  for _, answer in pairs(answers or {}) do
    return answer.result
  end
end

say("ready", vim.wait(20000, function() return #vim.diagnostic.get(buffer) > 0 end, 20))
say("mistake", messages())
vim.api.nvim_buf_set_lines(buffer, 1, 2, false, { "board { group grid square 3 by 3 { cell; } }" })
say("repaired", vim.wait(20000, function() return #vim.diagnostic.get(buffer) == 0 end, 20))
say("hover", ask("textDocument/hover", 1, 35).contents.value)
local completion = ask("textDocument/completion", 0, 0)
say("completion", #completion.items > 10)
say("symbols", vim.tbl_map(function(one) return one.name end, ask("textDocument/documentSymbol", 0, 0)))
say("formatting", #ask("textDocument/formatting", 0, 0))
vim.cmd("quitall!")
