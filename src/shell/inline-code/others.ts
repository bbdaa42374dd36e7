import { effectsByName, found, type Language, modules, set } from './language.ts';

// Languages that are rarely written into a line. Fewer names are listed for them, and all others count as `other`.

const HARMLESS = set(`
      print println printf puts echo say log format len length count size range map filter reduce sum min max
      abs round floor ceil sqrt exp sin cos tan join split replace trim strip upper lower uppercase lowercase
      toupper tolower first last sort reverse unique mean median table paste paste0 cat nchar rep seq head
      tail str summary names nrow ncol dim matrix vector c list is_integer to_string inspect string parse now
      today version VERSION sessionInfo toString each collect Sys_time date substr sprintf typeof class
      csv csv2 delim tsv frame na cases read_csv read_delim read_tsv read_table colnames rownames cor sd var
      quantile subset which is_na complete_cases data_frame factor levels merge order rbind cbind ifelse nothing IO String Enum Integer Float Math List`);

const KEYWORDS = set(`
      if else elseif end for while in do function return let const var val def true false nil null and or not
      fn case of when import using begin`);

const EFFECTS = effectsByName({
  commands: `
      run pipeline system2 cmd os System Port ProcessBuilder Runtime getRuntime proc process sys Process
      execute system shQuote pipe`,
  deletes: 'file_remove deleteDir deleteOnExit rm_rf rmrf unlink',
  writes: `
      writeLines write_csv write_table sink saveRDS save file_copy file_rename file_create dir_create File
      Files PrintWriter FileWriter open cp mv`,
  network: `
      download Downloads HTTP Sockets listen url curl httr RCurl gen_tcp gen_udp ssl httpc hackney Req
      HTTPoison Tesla URL HttpURLConnection ServerSocket download_file`,
  dynamic: `
      eval source evaluate Meta include import_module apply Code invokelambda load loadstring GroovyShell
      ScriptEngine metaClass getClass forName newInstance invokeMethod method_missing ccall dlsym library
      require`,
});

/** Julia, R and Elixir. */
export const HASH_COMMENTS: Language = {
  // a backtick encloses a command in Julia and a name in R
  syntax: {
    comment: '#',
    tripleQuotes: true,
    backtick: 'runs',
    opens: (quote) => (quote === '"' ? '#{' : null),
  },
  effects: EFFECTS,
  harmless: HARMLESS,
  keywords: KEYWORDS,
  // R: file.remove, Sys.setenv, download.file; Elixir and Erlang: :os.cmd
  inspect: (code, literals, text) => [
    // R writes into a command: cat(file = "|id")
    ...modules(literals, [[/^\s*\|/, 'commands']]),
    // nested comments of Julia, raw strings of R
    ...found(text, [[/#=|=#|\b[rR]["']-*[([{]/, 'dynamic']]),
    ...found(code, [
      // a function named by a string
      [/\uE000\s?\(/, 'dynamic'],
      [/\bfile\.(remove|rename|copy|create|append)\b|\bunlink\b|\bSys\.(setenv|chmod)\b/, 'deletes'],
      [/\bdownload\.file\b|\bsocketConnection\b|\burl\s?\(/, 'network'],
      [/:\s?(os|erlang|file|inets|httpc|gen_tcp)\b/, 'commands'],
      [/\$\s?\(/, 'dynamic'],
      [/\b__\w+/, 'dynamic'],
    ]),
  ],
};

/** Groovy and Scala. */
export const SLASH_COMMENTS: Language = {
  bareCalls: 'before a string',
  syntax: {
    comment: '//',
    blockComments: true,
    tripleQuotes: true,
    backtick: 'string',
    opens: (quote) => (quote === '"' ? '${' : null),
  },
  effects: EFFECTS,
  harmless: HARMLESS,
  keywords: KEYWORDS,
  // "id".!, "id".execute()
  inspect: (code) =>
    found(code, [
      [/\uE000\s?\.?\s?!|\bexecute\b|\bsys\.process\b/, 'commands'],
      [/\b__\w+/, 'dynamic'],
    ]),
};

/** AppleScript, and JavaScript for Automation. */
export const APPLESCRIPT: Language = {
  syntax: { backtick: 'string' },
  effects: effectsByName({
    commands: 'doShellScript',
    dynamic: 'run_script ObjC',
  }),
  harmless: set('log display dialog say count length offset beep'),
  keywords: set('if then else end repeat with times to set get of in return and or not true false'),
  inspect: (code) =>
    found(code, [
      [/\bdo shell script\b/, 'commands'],
      // gives orders to another application
      [
        /\b(tell|app|application|Application|keystroke|empty|quit|the clipboard|system attribute|mount volume|set volume|run script|load script|open location|store script)\b/,
        'other',
      ],
      [/«|\bObjC\b|\buse framework\b/, 'dynamic'],
    ]),
};
