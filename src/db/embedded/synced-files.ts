import { fsyncSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { syncFolder } from '../../base/files/write-atomically.ts';

type Node = { name: string };
/** The part of Emscripten's file system over Node that is used here. PGlite's types leave it out. */
type NodeFiles = {
  realPath(node: Node): string;
  stream_ops: { fsync?: (stream: { nfd?: number; node: Node }) => number };
};

/**
 * PGlite's files with an `fsync` that works. Emscripten has none for files of Node: PostgreSQL's call would do nothing
 * and report success.
 */
export class SyncedFiles extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...args);
    const preRun = [emscriptenOpts.preRun ?? []].flat();
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [addFsync, ...preRun] } };
  }
}

function addFsync(module: { FS: unknown }): void {
  const { filesystems } = module.FS as { filesystems: { NODEFS: NodeFiles } };
  const { NODEFS } = filesystems;
  NODEFS.stream_ops.fsync = ({ nfd, node }) => {
    if (nfd !== undefined) fsyncSync(nfd);
    // Emscripten opens no folder in the system. PostgreSQL syncs one so that the names of new files in it last.
    else syncFolder(NODEFS.realPath(node));
    return 0;
  };
}
