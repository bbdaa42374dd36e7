// @ts-check
// What git's own files say of a folder: its work tree, the repository, the branch, the last commits. Starting git would take
// longer than everything else that a hook does.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { readPlain, textOf } = require('./plain-file.cjs');

const MAX_BYTES = 1024 * 1024;

/** @param {string} file */
const readText = (file) => textOf(file, MAX_BYTES);

/**
 * Returns `github.com/acme/shop` for `https://me@github.com/acme/shop.git` or `git@github.com:acme/shop`; null for a
 * local path. GitHub tells no letters of a path apart by their case.
 *
 * @param {string} url
 */
function repoName(url) {
  const parts = url.includes('://')
    ? /^[a-z][a-z0-9+.-]*:\/\/(?:[^/]*@)?([^/:@[\]]+|\[[^\]]*\])(?::\d*)?\/(.*)$/i.exec(url)
    : /^(?:[^/]*@)?([^/:@]{2,}):(.*)$/.exec(url);
  if (!parts) return null;
  const [, at = '', file = ''] = parts;
  const name = file
    .replace(/[?#].*$/, '')
    .replace(/^\/+/, '')
    .replace(/\/*(?:\.git)?\/*$/, '');
  if (!name) return null;
  const host = at.toLowerCase();
  return /^(?:www\.)?github\.com$/.test(host) ? `github.com/${name.toLowerCase()}` : `${host}/${name}`;
}

/** @param {string} config */
function originUrl(config) {
  let inOrigin = false;
  for (const line of config.split('\n')) {
    const section = /^\s*\[([^\]]*)\]/.exec(line);
    if (section) inOrigin = /^remote\s+"origin"$/.test(section[1] ?? '');
    const url = inOrigin && /^\s*url\s*=\s*"?([^"\s#;]+)/i.exec(line);
    if (url) return url[1] ?? '';
  }
  return '';
}

/**
 * Returns the work tree around `cwd`, git's folder for it and the content of HEAD; null outside of a work tree.
 *
 * @param {string} cwd
 */
function gitAround(cwd) {
  let dir = path.resolve(cwd);
  try {
    dir = fs.realpathSync(dir);
  } catch {}
  for (;;) {
    // in a linked worktree or a submodule, `.git` is a file that names git's folder
    const link = /^gitdir: (.+)/.exec(readText(path.join(dir, '.git')));
    const gitDir = path.resolve(dir, link?.[1] ?? '.git');
    const head = /^(?:ref: (?:refs\/heads\/)?(.+)|([0-9a-f]{40,64}))/.exec(
      readText(path.join(gitDir, 'HEAD')),
    );
    if (head) return { root: dir, gitDir, branch: head[1] ?? head[2]?.slice(0, 7) ?? '' };
    const parent = path.dirname(dir);
    if (parent === dir) return null;
    dir = parent;
  }
}

/**
 * Returns the work tree around `cwd`; all fields are null outside of one. It reads git's files, because starting git
 * would take longer than everything else here.
 *
 * @param {string} cwd
 */
function workTree(cwd) {
  const git = gitAround(cwd);
  if (git === null) return { root: null, repo: null, branch: null };
  const { root, gitDir, branch } = git;
  const common = path.resolve(gitDir, readText(path.join(gitDir, 'commondir')).trim());
  return {
    root,
    repo: repoName(originUrl(readText(path.join(common, 'config')))),
    // a repository with reftables keeps `.invalid` in HEAD for older versions of git
    branch: branch === '.invalid' ? null : branch,
  };
}

/**
 * Returns the main work tree of the repository if `cwd` is in a linked one, or the folder of a bare repository; else
 * undefined. All work trees of one repository have one folder of git in common.
 *
 * @param {string} cwd
 */
function mainTree(cwd) {
  const git = gitAround(cwd);
  if (git === null) return undefined;
  const named = readText(path.join(git.gitDir, 'commondir')).trim();
  if (named === '') return undefined;
  let common = path.resolve(git.gitDir, named);
  try {
    common = fs.realpathSync(common);
  } catch {}
  const main = path.basename(common) === '.git' ? path.dirname(common) : common;
  return main === git.root ? undefined : main;
}

/** How much of the end of a file is read, in bytes. A line of the log has about 150. */
const TAIL = 16 * 1024;
const MAX_COMMITS = 5;
const MAX_SUBJECT = 200;

/**
 * Returns the end of a plain file as text, without a line that is cut; '' if it cannot be read.
 *
 * @param {string} file
 */
function readTail(file) {
  const read = readPlain(file, TAIL, { end: true });
  if (read === null) return '';
  const text = read.bytes.toString('utf8');
  return read.size > TAIL ? text.slice(text.indexOf('\n') + 1) : text;
}

/**
 * Returns the subjects of the last commits made in the work tree around `cwd`, the newest first, at most five. They
 * come from the log of its HEAD, so commits that were only fetched are not among them. A commit that was amended
 * counts once.
 *
 * @param {string} cwd
 */
function lastCommits(cwd) {
  const git = gitAround(cwd);
  return git === null ? [] : commitsIn(readTail(path.join(git.gitDir, 'logs', 'HEAD')));
}

/**
 * Returns the last subjects in the text of a log of git: lines of `<old> <new> <who> <when>\t<what>: <subject>`.
 *
 * @param {string} log
 */
function commitsIn(log) {
  const subjects = new Set();
  const replaced = new Set();
  for (const line of log.split('\n').reverse()) {
    const entry =
      /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t]*\t(?:commit|cherry-pick|revert|am|rebase)(?: -i)?(?: \(([\w -]+)\))?: (.+)$/.exec(
        line,
      );
    if (!entry) continue;
    const [, before, after, how, subject = ''] = entry;
    // a rebase also logs where it begins and ends
    if (/^(?:start|finish|abort|continue)$/.test(how ?? '')) continue;
    if (how === 'amend') replaced.add(before);
    const cut = subject
      .trim()
      .slice(0, MAX_SUBJECT)
      .replace(/[\uD800-\uDBFF]$/, '');
    if (cut !== '' && !replaced.has(after)) subjects.add(cut);
    if (subjects.size === MAX_COMMITS) break;
  }
  return [...subjects];
}

module.exports = { workTree, mainTree, lastCommits, repoName };
