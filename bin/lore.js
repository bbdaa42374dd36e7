#!/usr/bin/env node
// Any Node can read this file, so that one that is too old is told so. Newer syntax and imports stand in run.js.
var major = parseInt(process.versions.node, 10);
if (major >= 20) {
  import('./run.js');
} else {
  console.error('lore: Node 20 or newer is needed, and this is Node ' + process.versions.node + '.');
  process.exitCode = 1;
}
