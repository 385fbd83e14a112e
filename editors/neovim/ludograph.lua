-- Ludograph for Neovim 0.7 and newer: files that end with .tgdl get the language server.
-- Copy this file to ~/.config/nvim/plugin/ludograph.lua.

local command = vim.g.ludograph_command or { "ludograph", "lsp" }

if vim.filetype ~= nil then
  vim.filetype.add({ extension = { tgdl = "tgdl" } })
end
vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  pattern = "*.tgdl",
  callback = function() vim.bo.filetype = "tgdl" end,
})

-- Code lenses run in a terminal: play and simulate the game of the lens, or show its coverage.
local function in_terminal(name)
  return function(lens)
    local file = vim.uri_to_fname(lens.arguments[1])
    vim.cmd("botright new")
    vim.fn.termopen({ command[1], name, file })
  end
end

local commands = {
  ["ludograph.play"] = in_terminal("play"),
  ["ludograph.simulate"] = in_terminal("simulate"),
  ["ludograph.coverage"] = in_terminal("coverage"),
  ["ludograph.preview"] = in_terminal("play"),
}

local function attach(_, buffer)
  vim.bo[buffer].omnifunc = "v:lua.vim.lsp.omnifunc"
  local function key(keys, run)
    vim.keymap.set("n", keys, run, { buffer = buffer })
  end
  key("gd", vim.lsp.buf.definition)
  key("gr", vim.lsp.buf.references)
  key("K", vim.lsp.buf.hover)
  key("<leader>rn", vim.lsp.buf.rename)
  key("<leader>ca", vim.lsp.buf.code_action)
  key("<leader>f", vim.lsp.buf.format or vim.lsp.buf.formatting)
  key("<leader>l", vim.lsp.codelens.run)
end

vim.api.nvim_create_autocmd("FileType", {
  pattern = "tgdl",
  callback = function(event)
    vim.bo.commentstring = "// %s"
    vim.bo.shiftwidth = 2
    vim.bo.expandtab = true
    local buffer = event.buf
    local settings = {
      name = "ludograph",
      cmd = command,
      commands = commands,
      on_attach = attach,
      root_dir = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ":p:h"),
    }
    if vim.lsp.start ~= nil then
      vim.lsp.start(settings, { bufnr = buffer })
      return
    end
    if ludograph_client == nil then -- Neovim 0.7
      ludograph_client = vim.lsp.start_client(settings)
    end
    vim.lsp.buf_attach_client(buffer, ludograph_client)
  end,
})
