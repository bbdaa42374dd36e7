#!/usr/bin/env node
// Any Node can read this file, so an old one can say clearly that it is too old. Newer syntax and imports are in run.js.
// The same version stands in package.json ("engines") and in README.md.
var version = process.versions.node.split('.').map(Number);
if (version[0] > 20 || (version[0] === 20 && version[1] >= 19)) {
  // a client waits for its hooks, so they start without all that a command needs
  if (process.argv[2] === 'hook' && /^[a-z]+$/.test(process.argv[3])) {
    import('../hooks/client.cjs').then((hook) => {
      hook.default.run(process.argv[3], process.argv[4]);
    });
  } else {
    if (process.argv[2] === 'start' && process.env.npm_lifecycle_event !== undefined) endWithParent();
    import('./run.js');
  }
} else {
  console.error('lore: Node 20.19 or newer is needed, and this is Node ' + process.versions.node + '.');
  process.exitCode = 1;
}

/** npm hands a signal on to its shell, and many shells end without handing it on. So a server that npm started ends with its shell. */
function endWithParent() {
  var parent = process.ppid;
  var watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 300);
  watch.unref();
}
