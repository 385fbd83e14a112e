"""The style and the script of a page that steps through a game."""

STYLE = """
:root{color-scheme:light dark}
body{margin:0;font-family:system-ui,'DejaVu Sans',Verdana,sans-serif;display:flex;flex-wrap:wrap;gap:1rem;
justify-content:center;background:#fff;color:#1b1e24}
main{flex:0 1 42rem;min-width:0;padding:.5rem 1rem}
h1{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
#picture svg{display:block;width:100%;height:auto}
#controls{display:flex;gap:.3rem;align-items:center;margin:.5rem 0}
#controls input{flex:1;min-width:4rem}
button{font:inherit;min-width:2.75rem;min-height:2.75rem;border:1px solid #777;border-radius:.4rem;
background:#f5f5f2;color:#1b1e24;cursor:pointer}
#controls svg{display:block;margin:auto;fill:currentColor}
button:focus-visible,input:focus-visible,textarea:focus-visible{outline:3px solid #0072b2;outline-offset:2px}
#caption{min-height:1.4em;margin:.3rem 0}
textarea{display:block;width:100%;box-sizing:border-box;font:.8rem monospace;margin:.2rem 0}
nav{position:relative;flex:0 1 16rem;max-height:90vh;overflow:auto;padding:.5rem}
@media(min-width:50rem){#picture svg{max-height:calc(100vh - 9rem)}}
nav ol{margin:0;padding-left:2.5rem;font-size:.85rem}
nav button{border:0;background:none;color:inherit;text-align:left;vertical-align:top;
min-height:1.5rem;padding:.1rem .4rem;
overflow-wrap:anywhere}
nav button[aria-current]{font-weight:bold;outline:2px solid currentColor}
@media(prefers-color-scheme:dark){body{background:#16181d;color:#f1f2f4}
button{background:#23262d;color:#f1f2f4}}
"""

SCRIPT = """
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const find = (id) => document.getElementById(id);
const svg = document.querySelector("#picture svg");
const page = svg.querySelector(".page");
const buttons = [...document.querySelectorAll("#moves button")];
let now = 0;
let timer = 0;

function show(wanted) {
  now = Math.max(0, Math.min(data.frames.length - 1, wanted));
  const frame = data.frames[now];
  const [width, height] = frame.size;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  page.setAttribute("width", width);
  page.setAttribute("height", height);
  find("items").innerHTML = frame.items.map((item) => data.pool[item]).join("");
  find("description").textContent = frame.description;
  find("caption").textContent = `${now} of ${data.frames.length - 1}: ${frame.caption || "start"}`;
  find("position").value = frame.position;
  find("step").value = now;
  buttons.forEach((button, index) => {
    if (index === now) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  });
  // Scroll the list only: the picture must stay where it is.
  const list = find("moves").parentElement;
  list.scrollTop = buttons[now].offsetTop - list.clientHeight / 2;
}

function stop() {
  clearInterval(timer);
  timer = 0;
  find("play").textContent = "Play";
}

function go(wanted) {
  stop();
  show(wanted);
}

function play() {
  if (timer) return stop();
  if (now === data.frames.length - 1) show(0);
  find("play").textContent = "Pause";
  timer = setInterval(() => {
    show(now + 1);
    if (now === data.frames.length - 1) stop();
  }, 900);
}

find("to-start").addEventListener("click", () => go(0));
find("back").addEventListener("click", () => go(now - 1));
find("forward").addEventListener("click", () => go(now + 1));
find("to-end").addEventListener("click", () => go(data.frames.length - 1));
find("play").addEventListener("click", play);
find("step").addEventListener("input", (event) => go(Number(event.target.value)));
buttons.forEach((button, index) => button.addEventListener("click", () => go(index)));
find("copy").addEventListener("click", async () => {
  const box = find("position");
  box.select();
  try {
    await navigator.clipboard.writeText(box.value);
  } catch {
    document.execCommand("copy");
  }
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.tagName === "TEXTAREA" || event.target.type === "range") return;
  const steps = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: data.frames.length - 1 };
  if (event.key in steps) {
    event.preventDefault();
    go(steps[event.key]);
  } else if (event.key === " " && event.target.tagName !== "BUTTON") {
    event.preventDefault();
    play();
  }
});
show(0);
"""
