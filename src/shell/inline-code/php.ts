import { effectsByName, found, type Language, modules, set } from './language.ts';

export const PHP: Language = {
  syntax: {
    // `#` is not listed, because it also begins an attribute
    comment: '//',
    blockComments: true,
    backtick: 'runs',
    patterns: true,
    opens: (quote) => (quote === "'" ? null : '{$'),
  },
  callsVariables: true,
  callsByName: true,
  effects: effectsByName({
    commands:
      'passthru proc_open proc_terminate pcntl_exec pcntl_fork pcntl_alarm posix_kill expect_popen mail mb_send_mail ssh2_exec dl',
    deletes: 'unlink rmdir ftruncate SplFileObject',
    writes: `
      file_put_contents fwrite fputs fputcsv move_uploaded_file chgrp lchgrp tempnam tmpfile ini_set ini_alter
      set_include_path error_log symlink mkdir touch fopen putenv apache_setenv imagepng imagejpeg imagegif
      chdir chroot extractTo ZipArchive PharData session_start header setcookie syslog`,
    network: `
      fsockopen pfsockopen stream_socket_client stream_socket_server stream_context_create socket_create
      socket_connect socket_bind socket_accept curl_init curl_exec curl_multi_exec ftp_connect ftp_ssl_connect
      ssh2_connect SoapClient gethostbyname dns_get_record checkdnsrr get_headers get_meta_tags imap_open
      ldap_connect mysqli mysqli_connect PDO pg_connect Guzzle GuzzleHttp`,
    dynamic: `
      assert create_function call_user_func call_user_func_array func_overload preg_replace
      preg_replace_callback_array include include_once require require_once ob_start
      register_shutdown_function register_tick_function set_error_handler set_exception_handler
      spl_autoload_register forward_static_call array_walk extract parse_str ReflectionFunction
      ReflectionMethod ReflectionClass Closure fromCallable FFI iterator_apply mb_ereg_replace unserialize
      highlight_file show_source get_defined_vars`,
    decodes: 'str_rot13 gzuncompress gzdecode convert_uudecode bzdecompress zlib_decode pack',
  }),
  harmless: set(`
      echo print printf sprintf vsprintf print_r var_dump var_export strlen mb_strlen str_replace str_repeat
      str_pad str_split str_contains str_starts_with str_ends_with substr substr_count strpos strrpos stripos
      strstr strrev strcmp strcasecmp strtr implode explode join count sizeof in_array array_map array_filter
      array_reduce array_keys array_values array_merge array_sum array_product array_unique array_flip
      array_reverse array_slice array_splice array_combine array_column array_fill array_search
      array_key_exists array_diff array_intersect array_chunk array_push array_pop array_shift array_unshift
      range sort rsort usort uasort uksort ksort krsort asort arsort json_encode json_decode
      json_last_error_msg phpversion php_sapi_name php_uname zend_version date gmdate time strtotime mktime
      microtime hrtime checkdate date_default_timezone_get strtoupper strtolower ucfirst ucwords lcfirst trim
      ltrim rtrim nl2br htmlspecialchars number_format round floor ceil abs max min pow sqrt intdiv fmod
      intval floatval strval boolval gettype is_array is_string is_int is_float is_numeric is_bool is_null
      is_object is_callable isset empty preg_match preg_match_all preg_split preg_quote file_exists is_file
      is_dir is_readable filesize filemtime basename dirname realpath pathinfo getcwd file_get_contents file
      scandir glob md5 sha1 crc32 hash bin2hex base64_encode urlencode rawurlencode http_build_query uniqid
      random_int rand mt_rand random_bytes extension_loaded get_loaded_extensions ini_get
      memory_get_usage memory_get_peak_usage defined constant function_exists class_exists get_class
      method_exists usleep sleep exit die dechex hexdec bindec decbin chr ord list array format getTimestamp
      str_word_count count_chars wordwrap chunk_split similar_text levenshtein soundex metaphone ctype_digit
      ctype_alpha iterator_to_array`),
  keywords: set(`
      if elseif else for foreach while do switch case default break continue return function fn class new use
      namespace try catch finally throw echo print and or xor not as static public private protected const
      global var true false null self this isset empty match DateTime DateTimeImmutable DateInterval Exception
      ArrayObject PHP_EOL PHP_VERSION PHP_OS STDIN STDOUT`),
  inspect: (code, literals, text) => [
    // the end of PHP also ends a comment
    ...found(text.replace(/^\s*<\?php\b/, ''), [[/\?>|<\?|\buse\s+function\b/, 'dynamic']]),
    ...found(code, [
      [/\$\$|\$\{/, 'dynamic'],
      [/\bgetenv\s?\(\s?(\)|null\b)|\$_(ENV|SERVER)\b(?!\s?\[)|\$GLOBALS\b/, 'other'],
      [/\bnew\s\$/, 'dynamic'],
      [/\)\s?\(|\uE000\s?\(|\]\s?\(/, 'dynamic'],
      [/\b__(?!FILE__|LINE__|DIR__)\w+/, 'dynamic'],
    ]),
    // functions that open files also accept URLs; "${…}" runs the code in it
    ...modules(literals, [
      [/^\s*(https?|ftps?|ssh2(\.\w+)?):\/\//i, 'network'],
      [/\$\{/, 'dynamic'],
      [/^\s*(phar|expect|data|php|zip|glob|compress\.\w+):\/\//i, 'dynamic'],
    ]),
  ],
};
