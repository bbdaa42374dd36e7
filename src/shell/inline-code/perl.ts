import { effectsByName, found, type Language, type Quoted, set } from './language.ts';
import { bodyOf, closer, closing } from './quoted.ts';

export const PERL: Language = {
  syntax: {
    comment: '#',
    backtick: 'runs',
    patterns: true,
    opens: (quote) => (quote === "'" ? null : '@{['),
    quoteLike,
  },
  bareCalls: 'always',
  opensPipes: true,
  effects: effectsByName({
    commands:
      'open3 open2 IPC readpipe capture pipe wait waitpid sysopen setsid Run3 Proc Expect Shell qx kill',
    deletes: 'unlink rmdir',
    writes: `
      open syswrite mkpath make_path chdir chroot umask utime dbmopen tie fcntl ioctl flock truncate ftruncate
      tempfile tempdir spew`,
    network: `
      LWP Socket INET INET6 SSL UserAgent Tiny Mojo HTTP Net FTP SMTP Telnet SSH AnyEvent POE Mechanize IO
      bind listen accept shutdown send recv socketpair gethostbyname inet_aton sockaddr_in pack_sockaddr_in
      getaddrinfo mirror getprint getstore tcp_connect`,
    dynamic: `
      eval require can AUTOLOAD Safe B DynaLoader XSLoader Inline FFI Storable thaw retrieve symbolic
      __PACKAGE__ DB`,
    decodes: 'decode_base64 decode_qp uncompress inflate gunzip MIME Base64 Zlib unpack',
  }),
  harmless: set(`
      print printf say sprintf length substr index rindex uc lc ucfirst lcfirst join split map grep sort
      reverse keys values each push pop shift unshift splice exists defined scalar wantarray ref die warn exit
      chomp chop chr ord hex oct abs int sqrt sin cos atan2 exp log rand srand time localtime gmtime sleep pos
      quotemeta sum sum0 max min first any all none uniq uniqnum shuffle floor ceil fmod pow strftime mktime
      Dumper encode_json decode_json to_json from_json readline eof close binmode getcwd cwd basename dirname
      fileparse getppid caller lstat stat md5_hex sha1_hex sha256_hex trim study vec format`),
  keywords: set(`
      if elsif else unless while until for foreach and or not xor x eq ne lt gt le ge cmp my our local use no
      strict warnings utf8 feature package sub return next last redo undef BEGIN END STDIN STDOUT STDERR ENV
      ARGV ARGF INC print then Data List Util POSIX Time HiRes JSON PP Digest MD5 SHA Cwd Encode Text Wrap
      Math Carp constant integer bigint n e lane F l a i p`),
  inspect: (code) =>
    found(code, [
      [/\bopen\b|\bdo\s?\uE000|\brequire\b/, 'writes'],
      // `<>` reads the files in @ARGV, and a file name such as `id|` runs a command
      [/@ARGV\s?=|\bpush\s?\(?\s?@ARGV\b|\bunshift\s?\(?\s?@ARGV\b|\$ARGV\s?\[[^\]]*\]\s?=/, 'commands'],
      // &$f, &{"f"} and $x->$m call what a value names
      [/&\s?[${]|->\s?\$|->\s?\(|\$\{\s?\uE000|\*\{/, 'dynamic'],
      // the whole environment
      [/[%@*]\{?\s?(?:main)?(?:::)?ENV\b/, 'other'],
      [/\b__(?!FILE__|LINE__|END__|DATA__)\w+/, 'dynamic'],
    ]),
};

/** Reads q(…), qx(…), m/…/, s/…/…/ and tr/…/…/. Returns null when none of them begins here. */
function quoteLike(text: string, at: number, before: string): Quoted | null {
  if (/[\w$@%&>.]/.test(before.slice(-1))) return null;
  const match = /^(qx|qq|qw|qr|q|m|s|tr|y)\s{0,2}([^\w\s,;=)])/.exec(text.slice(at, at + 8));
  if (!match) return null;
  const [head, kind, open] = match as unknown as [string, string, string];
  if (text.slice(at + head.length - 1).startsWith('=>')) return null;
  const { end: first, body } = bodyOf(text, at + head.length, open);
  if (!/^(s|tr|y)$/.test(kind)) {
    const pattern = kind === 'm' || kind === 'qr';
    return { end: first + 1, literals: pattern ? [''] : [body], runs: kind === 'qx', code: null };
  }
  const close = closer(open);
  const from = close === open ? first + 1 : text.indexOf(open, first + 1) + 1;
  const second = closing(text, Math.max(from, first + 1), close);
  const flags = /^[a-z]*/.exec(text.slice(second + 1, second + 12))?.[0] ?? '';
  const runs = kind === 's' && flags.includes('e');
  return {
    end: second + 1 + flags.length,
    literals: [''],
    runs: false,
    code: runs ? text.slice(from, second) : null,
  };
}
