import { effectsByName, found, type Language, modules, type Quoted, set } from './language.ts';
import { bodyOf } from './quoted.ts';

export const RUBY: Language = {
  syntax: {
    comment: '#',
    backtick: 'runs',
    patterns: true,
    opens: (quote) => (quote === "'" ? null : '#{'),
    quoteLike,
  },
  bareCalls: 'always',
  opensPipes: true,
  effects: effectsByName({
    commands: `
      Open3 PTY pty capture2 capture2e capture3 popen2e popen3 pipeline pipeline_r pipeline_w pipeline_rw
      pipeline_start detach IO Process Shell Shellwords childprocess reopen sysopen trap abort_on_exception
      fork wait waitpid console getty raw`,
    deletes: 'safe_unlink remove_file remove_entry_secure drop_table truncate_tables',
    writes: `
      FileUtils binwrite syswrite write_nonblock atomic_write cp_r copy_entry copy_stream mkpath chmod_R
      chown_R ln_s ln_sf Tempfile PStore chdir chroot umask flock fsync store`,
    network: `
      TCPSocket TCPServer UDPSocket UNIXSocket UNIXServer BasicSocket IPSocket SOCKSSocket Addrinfo SSLSocket
      OpenSSL OpenURI LWP DRb DRbObject WEBrick Resolv Faraday HTTParty RestClient Mechanize Excon Typhoeus
      HTTPClient Curl FTP SMTP IMAP POP3 Telnet SSH SCP SFTP post_form get_response`,
    dynamic: `
      instance_eval class_eval module_eval instance_exec class_exec send public_send __send__ const_get
      const_set define_method method public_method instance_method method_missing to_proc curry Marshal
      unsafe_load ERB Fiddle DL Win32API load autoload TOPLEVEL_BINDING ObjectSpace Ractor TracePoint
      set_trace_func instance_variable_get instance_variable_set RubyVM InstructionSequence Gem Bundler IRB
      Pry Rake Kernel refine`,
    decodes: 'unpack1 urlsafe_decode64 Base64 inflate Inflate Zlib GzipReader',
  }),
  harmless: set(`
      puts p pp print putc printf sprintf format each each_with_index each_with_object each_line each_char
      each_byte each_slice each_cons each_pair each_key each_value map collect flat_map filter_map select
      filter reject find detect find_index inject reduce sum min max minmax min_by max_by sort sort_by
      group_by partition chunk_while slice_when tally zip uniq compact flatten reverse first last take drop
      take_while drop_while size length count empty nil any all none one include member gsub sub tr chomp chop
      squeeze strip lstrip rstrip split join upcase downcase capitalize swapcase center ljust rjust chars
      bytes lines ord chr hex oct to_s to_i to_f to_a to_h to_sym to_r to_c to_json as_json inspect match scan
      start_with end_with index rindex slice insert push pop shift unshift concat fetch dig key keys values
      has_key value values_at merge transform_values transform_keys to_set add transpose product combination
      permutation cycle step times upto downto between clamp round floor ceil abs divmod pow gcd lcm zero even
      odd positive negative pred succ digits sqrt sin cos tan atan log log10 log2 exp rand srand sleep now
      today strftime iso8601 year month day hour sec wday yday parse generate pretty_generate load_file
      safe_load safe_load_file dump freeze dup
      clone tap then yield_self is_a kind_of instance_of respond_to class name object_id hash exist exists
      file directory basename dirname extname expand_path absolute_path realpath read readlines foreach glob
      entries children each_child pwd home stat mtime ctime atime ftype readable writable executable lineno
      gets getc readline each_entry hexdigest digest uuid random_number alphanumeric urlsafe_base64 encode64
      strict_encode64 new raise exit abort warn lambda proc block_given caller loop catch throw at localtime
      utc getlocal zone encode force_encoding encoding valid_encoding unicode_normalize codepoints casecmp
      ascii_only prepend lazy force with_index with_object rewind next peek MD5 SHA1 SHA256 SHA512 STDIN
      STDOUT STDERR`),
  keywords: set(`
      if elsif else unless while until for in do end begin rescue ensure return def class module self super
      nil true false and or not case when then yield next last redo retry break alias undef defined
      attr_accessor attr_reader require require_relative BEGIN END __END__ __FILE__ __LINE__ ENV ARGV ARGF
      File Dir Time Date DateTime JSON YAML CSV Math Integer Float String Array Hash Set Range Comparable
      Enumerable Struct OpenStruct Rational Complex Random SecureRandom Regexp Symbol Proc NilClass TrueClass
      FalseClass Numeric Object Digest Benchmark RUBY_VERSION RUBY_PLATFORM RUBY_ENGINE RUBY_PATCHLEVEL
      StandardError ArgumentError RuntimeError json set date time n e ne x p l a i F`),
  inspect: (code, literals, text) => [
    // `?"` is the character of a quote, and opens no string
    ...found(text, [[/(^|[\s([{,=|&!;:+<>~-])\?["'`/\\{}#]/, 'other']]),
    // Kernel#open runs a name such as `|id` as a command
    ...found(code, [
      [/(^|[^.\w])open\b/, 'commands'],
      [/\b(URI|Kernel|IO)\s?\.\s?open\b/, 'commands'],
      [/\b(YAML|Psych)\s?\.\s?load\b/, 'dynamic'],
      [/\bENV\b(?!\s?(\[|\.\s?(fetch|key)\b))/, 'other'],
      [/\b__(?!FILE__|LINE__|END__|method__|dir__)\w+/, 'dynamic'],
    ]),
    ...(/\b(read|open|new)\b/.test(code) &&
    literals.some((literal) => /^[rbt]?[wa+][bt+:\w-]*$/.test(literal))
      ? (['writes'] as const)
      : []),
    ...modules(literals, [
      [/^\s*\|/, 'commands'],
      [
        /^(socket|net\/.+|open-uri|drb.*|webrick|rinda.*|resolv|openssl.*|httparty|faraday|rest-client|mechanize|excon|typhoeus)$/,
        'network',
      ],
      [/^(open3|pty|shell|childprocess|expect|io\/console)$/, 'commands'],
      [/^(fileutils|tempfile|tmpdir|pstore)$/, 'writes'],
      [/^(fiddle.*|win32ole|erb|irb|pry|rubygems.*|bundler.*|rake.*)$/, 'dynamic'],
      [/^(base64|zlib)$/, 'decodes'],
    ]),
    ...(/\brequire(_relative)?\b/.test(code) && literals.some((text) => /^(\/|\.\.\/|~)/.test(text))
      ? (['other'] as const)
      : []),
    ...(/\brequire(_relative)?\b(?!\s?\(?\s?\uE000)/.test(code) ? (['dynamic'] as const) : []),
  ],
};

/** Reads %q(…), %w[…], %x(…) and %r{…}. Returns null when none of them begins here. */
function quoteLike(text: string, at: number, before: string): Quoted | null {
  if (/[\w$@%&>.]/.test(before.slice(-1))) return null;
  const match = /^(%[qQwWixr]?)([([{<|!])/.exec(text.slice(at, at + 4));
  if (!match) return null;
  const [head, kind, open] = match as unknown as [string, string, string];
  const { end, body } = bodyOf(text, at + head.length, open);
  return { end: end + 1, literals: [kind === '%r' ? '' : body], runs: kind === '%x', code: null };
}
