import { effectsByName, found, type Language, modules, set } from './language.ts';

export const LUA: Language = {
  // `#` is the length operator, so it does not begin a comment
  syntax: { comment: '--', backtick: 'string' },
  bareCalls: 'before a string',
  computedCalls: true,
  effects: effectsByName({
    commands: 'os_execute io_popen posix luv uv ffi alien execp pspawn',
    deletes: 'remove rmdir',
    writes: 'rename tmpname output setvbuf write',
    network: 'socket tcp udp http ssl copas ltn12 cqueues luasocket',
    dynamic: `
      load loadstring dofile loadfile loadlib getfenv setfenv debug package searchers loaders preload
      setmetatable rawset _G _ENV dump jit module`,
    decodes: 'unb64 mime',
  }),
  harmless: set(`
      print tostring tonumber pairs ipairs next type select rawget rawlen rawequal concat insert sort format
      gsub gmatch match find rep sub upper lower len byte char reverse floor ceil max min abs random
      randomseed sqrt sin cos tan exp log fmod modf pow date time clock difftime getenv lines read close open
      exit error assert require`),
  keywords: set(`
      and break do else elseif end false for function goto if in local nil not or repeat return then true
      until while string table math os io utf8 huge pi stdin stdout stderr x`),
  inspect: (code, literals) => [
    ...found(code, [
      [/\brequire\b(?!\s?\(?\s?\uE000)/, 'dynamic'],
      [/\bos\.(execute|remove|rename|tmpname)\b|\bio\.popen\b/, 'commands'],
      // os["exec" .. "ute"]
      [/\[\s?\uE000/, 'dynamic'],
      [/\b__\w+/, 'dynamic'],
      // io.open(name, mode)
      [/\bopen\s?\([^()]{0,200},(?!\s?\uE000\s?\))/, 'writes'],
    ]),
    ...(/\bopen\b(?!\s?\(\s?\uE000\s?\))/.test(code) &&
    literals.some((literal) => /^[rwa]?b?[wa+]b?\+?$/.test(literal))
      ? (['writes'] as const)
      : []),
    ...modules(literals, [
      [/^(socket(\..+)?|ssl(\..+)?|http\..+|copas|cqueues.*|resty\..+)$/, 'network'],
      [/^(posix.*|luv|ffi|alien|lfs|os|io)$/, 'commands'],
    ]),
  ],
};
