import { programs } from './lists.ts';

// Names of programs that more than one file needs.

/** Splits a text with blanks between the words into a list. */
export const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

const names = (text: string): ReadonlySet<string> => new Set(words(text));

/** Returns the program that a path names: in lower case, without the folder and `.exe`. */
export const baseName = (path: string): string =>
  (path.split(/[/\\]/).pop() ?? '').toLowerCase().replace(/\.exe$/, '');

/** Programs that run text as a shell script. */
export const SHELLS = programs('shells');

/** Programs that run text in another language; `*` at the end stands for any version. */
export const INTERPRETERS = [...programs('interpreters')];

/** Whether a program runs text in another language than shell. */
export const isInterpreter = (program: string): boolean =>
  INTERPRETERS.some((name) =>
    name.endsWith('*') ? program.startsWith(name.slice(0, -1)) : name === program,
  );

export const AWKS = [...programs('awks')];

/** Programs that search in files. */
export const GREPS = [...programs('greps')];
/** Programs that search in files and enter folders without being told. */
export const TREE_GREPS = [...programs('tree-greps')];

/** Programs that, after a pipe, print some of the lines that they read, whole and unchanged. */
export const LINE_FILTERS = names('sort uniq head tail grep egrep fgrep shuf');

/** Programs that, after a pipe, only choose which part of the output before them is shown. */
export const FILTERS = new Set([
  ...LINE_FILTERS,
  ...words('rg tee cat less more sed awk cut wc tr column nl fold strings ts'),
]);

/** Programs that, after a pipe, show all of the output or one end of it. */
export const PAGERS = names('tail head cat less more');

/** Programs that only look, whatever their arguments are, except for an option that names another program to run. */
export const LOOKERS = words(`
  ls dir vdir cat tac nl head tail wc stat gstat readlink realpath basename dirname pwd cksum sum md5sum
  sha1sum sha224sum sha256sum sha384sum sha512sum b2sum shasum md5 crc32 cmp comm diff diff3 colordiff cut
  paste join tr rev fold fmt expand unexpand column col od hexdump hd strings nm objdump readelf size
  addr2line c++filt which whereis locate mlocate plocate df du gdu ncdu free uptime w who whoami users id
  groups logname last lastb finger pinky uname arch nproc lscpu lsblk lsusb lspci lsmod lsof lsns lshw vmstat
  iostat mpstat pidstat ps pgrep pidof pstree top htop atop cal ncal factor seq yes sleep printenv tty apropos
  whatis tldr help bat batcat eza exa lsd zgrep zegrep zfgrep bzgrep xzgrep zcat bzcat xzcat zstdcat lz4cat
  gzcat zless zmore zdiff zcmp more most bc expr numfmt tput clear cowsay figlet tsort getconf ulimit umask
  times look pr base32 base64 basenc uuidgen fc-list mediainfo dpkg-query acpi sensors blkid findmnt
  mountpoint lslocks lsipc runlevel getfacl getfattr lsattr namei hostid nslookup dig host whois ping ping6
  traceroute tracepath mtr netstat cpuinfo sw_vers system_profiler vm_stat ioreg mdfind mdls otool gh-pr true
  false units tload zipinfo isoinfo rpmquery getent sdiff dos2unix-info msgfmt-info hexyl delta difft glow diffstat
  xcbeautify xcpretty`);

/** Programs that show names, sizes and the like of the files that they are given, but not their content. */
export const NAMERS = names(`
  ls dir vdir eza exa lsd tree find gfind fd fdfind stat gstat test [ [[ du gdu df basename dirname realpath readlink pwd which
  whereis locate mlocate plocate type command cd pushd popd mkdir file wc getfacl lsattr namei cksum md5sum sha1sum sha256sum
  sha512sum`);

/** Programs that show the content of the files that they are given. */
export const SHOWERS = names(`
  cat tac nl head tail bat batcat less zless more zmore strings xxd od hexdump hd hexyl base64 base32 basenc cut paste rev fold
  fmt expand unexpand column sort uniq comm diff sdiff diff3 colordiff cmp join jq gojq jaq yq xq dasel sed gsed awk gawk
  mawk nawk zcat gzcat bzcat xzcat zstdcat pr look glow tar gtar bsdtar zip cp install dd printenv xmllint mlr csvcut csvlook`);

/** Matches the name of a variable that holds a secret. */
export const SECRET_NAME =
  /(KEY|TOKEN|SECRET|PASSW(OR)?D|PASSPHRASE|PASS\b|_PASS|CREDENTIALS?|PRIVATE|AUTH|COOKIE|SESSION|DSN|DATABASE_URL|CONNECTION_STRING)/i;

/** Programs that run a command as another user. */
export const AS_ANOTHER = /^(sudo|doas|su|run0|pkexec)$/;
