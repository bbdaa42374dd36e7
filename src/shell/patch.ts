// Patches in the form that models of OpenAI write: `*** Begin Patch`, then files with their changed lines.

/** A file that a patch changes, with the lines that go and those that come. */
export type PatchedFile = {
  file_path: string;
  change: 'add' | 'update' | 'delete';
  old_string: string;
  new_string: string;
};

const MAX_FILES = 100;

/**
 * Returns the patch in a text; null if it holds none.
 *
 * @param whole whether the text is given to a tool for patches, else it is the line of a shell, which must do nothing else
 */
export function patchIn(text: string, whole: boolean): string | null {
  if (whole) return /^\s*\*\*\* Begin Patch/.test(text) ? text : null;
  const heredoc =
    /^\s*(?:cd [^\n;&|]+ && )?(?:apply_patch|applypatch)\s+<<\s*(['"]?)(\w+)\1\n([\s\S]*?)\n\2\s*$/.exec(
      text,
    );
  return heredoc?.[3]?.startsWith('*** Begin Patch') ? heredoc[3] : null;
}

/** Returns the files that a patch changes. A file that is moved counts twice: it goes, and it comes. */
export function filesOfPatch(patch: string): PatchedFile[] {
  const files: PatchedFile[] = [];
  let at: {
    change: PatchedFile['change'];
    path: string;
    before: string[];
    after: string[];
    to: string | null;
  } | null = null;
  const close = () => {
    if (at === null || files.length >= MAX_FILES) return;
    const { change, path, before, after, to } = at;
    const texts = { old_string: before.join('\n'), new_string: after.join('\n') };
    files.push({ file_path: path, change: to === null ? change : 'delete', ...texts });
    if (to !== null) files.push({ file_path: to, change: 'add', ...texts });
  };
  for (const line of patch.split(/\r?\n/)) {
    const [, what, path] = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/.exec(line) ?? [];
    if (what !== undefined && path !== undefined) {
      close();
      at = { change: what.toLowerCase() as PatchedFile['change'], path, before: [], after: [], to: null };
    } else if (at !== null && line.startsWith('*** Move to: ')) at.to = line.slice(13).trim();
    else if (at !== null && line.startsWith('-')) at.before.push(line.slice(1));
    else if (at !== null && line.startsWith('+')) at.after.push(line.slice(1));
  }
  close();
  return files;
}
