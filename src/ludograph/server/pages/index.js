// The list of games.
const answer = await fetch("/api/games");
const { games } = await answer.json();
for (const game of games) {
  const row = document.createElement("li");
  row.textContent = game.title;
  document.querySelector("#games")?.append(row);
}
