import { effectsByName } from './language.ts';

/**
 * Names that mean the same in every language, because libraries take them from the shell, C or HTTP. A language's own
 * lists come first, so a language may declare one of these names harmless.
 */
export const COMMON = effectsByName({
  commands: `
      system popen popen2 popen3 popen4 exec execv execve execvp execvpe execl execlp execle execute spawn
      spawnSync spawnl spawnv spawnlp spawnvp fork forkpty posix_spawn subprocess backtick shell_exec syscall
      sh shell kill killpg daemon dup2 invoke Command`,
  deletes: `
      rmtree remove unlink rm rmdir removedirs rm_rf rm_r rm_f remove_dir remove_entry delete delete_all
      destroy deleteMany deleteOne dropDatabase drop truncate ftruncate rimraf del emptyDir send2trash
      remove_tree purge wipe`,
  writes: `
      chmod chown lchmod lchown rename renames move copy copyfile copytree copyFile cp mv ln symlink link
      mkdir makedirs mkdir_p mkdtemp touch install putenv setuid setgid seteuid utime mknod mkfifo write
      writev writelines savefig extractall`,
  network: `
      socket Socket fetch urlopen request requests http https HTTP Net net connect create_connection sendto
      getaddrinfo WebSocket wget nmap`,
  dynamic: 'eval execfile dlopen binding unserialize importlib',
  decodes: `
      b64decode base64 base64_decode decode64 strict_decode64 atob unhexlify hex2bin fromhex unpack zlib
      gzinflate decompress`,
});
