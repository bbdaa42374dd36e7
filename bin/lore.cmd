@node "%~dp0lore.js" %*
