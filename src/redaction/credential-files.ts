// Secrets in files that do not have a name before each value: `.pgpass`, `.htpasswd`, `/etc/shadow`, and the
// defaults of Terraform variables.
import { isReference } from './harmless-values.ts';
import { closingQuote, lineEnds, matches, type Report } from './scan.ts';
import { isSecretName } from './secret-names.ts';

// Hashes of crypt(3), as in /etc/shadow and .htpasswd, also those of Argon2, scrypt and PBKDF2; and those of Apache and
// LDAP (RFC 2307).
const CRYPT =
  /\$(?:[156y7]|2[abxy]?|gy|apr1|argon2(?:id|i|d)|sha1|md5|scrypt|pbkdf2(?:-sha\d+)?)\$[./A-Za-z0-9$=,+-]{20,}|\{(?:SSHA|SHA|SMD5|CRYPT)(?:256|512)?\}[A-Za-z0-9+/]{24,}={0,2}/g;

// `host:port:database:user:password`, a line of five fields. A compiler's line number is shorter, or a blank follows.
const PGPASS = /:(?:\*|\d{4,5}):(\*|[\w$-]{1,63}):[\w.@+*$-]{1,63}:((?:\\[:\\]|[^\s:\\]){4,200})(?=\s|$)/g;
// The line may stand in quotes or behind `echo`, or behind what `cat -n` or grep puts in front of it. The host may be a folder of sockets
// or an address of IPv6, whose colons are escaped.
const PGPASS_HOST =
  /(?:^|[\n\v]|\b(?:echo|printf)[ \t]|(["'`]))(?:[ \t]{0,8}\d{1,6}[\t→]|[\w./~-]{0,100}pgpass[\w.]{0,20}:(?:\d{1,6}:)?)?[ \t]{0,8}(?:\*|[\w-]+(?:\.[\w-]+)*|(\/[\w./-]{1,100})|[\da-f]{0,4}(?:\\:[\da-f]{0,4}){2,7})$/i;

const TERRAFORM = /variable[ \t]{1,4}\\{0,8}"([\w-]{1,80})\\{0,8}"[ \t]{0,4}\{([^{}]{0,2000})/g;
const DEFAULT = /\bdefault[ \t]{0,20}=[ \t]{0,20}(\\{0,8})"/;

/** Reports the secrets of files with a format of their own. */
export function findInCredentialFiles(view: string, report: Report): void {
  for (const { index, 0: hash } of matches(CRYPT, view)) report(index, index + hash.length, 'hash');
  for (const match of matches(PGPASS, view)) {
    const [whole, database = '', password = ''] = match;
    const host = PGPASS_HOST.exec(view.slice(Math.max(0, match.index - 200), match.index));
    if (isReference(password) || host === null) continue;
    const [, quote, folder] = host;
    // `/src/main.c:1234:5:error:…` is what a compiler says
    if (folder !== undefined && /^\d+$/.test(database)) continue;
    const start = match.index + whole.length - password.length;
    const closing = quote === undefined ? -1 : password.indexOf(quote);
    report(start, start + (closing < 0 ? password.length : closing));
  }
  const text = { view, lineEnd: lineEnds(view) };
  for (const match of matches(TERRAFORM, view)) {
    const [whole, name = '', body = ''] = match;
    const value = isSecretName(name) ? DEFAULT.exec(body) : null;
    if (value === null) continue;
    const start = match.index + whole.length - body.length + value.index + value[0].length;
    const end = closingQuote(text, start, '"', value[1]?.length ?? 0);
    if (!isReference(view.slice(start, end))) report(start, end);
  }
}
