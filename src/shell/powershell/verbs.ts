// What PowerShell's own commands do, in words of bash, as data.

/**
 * What a parameter means: `word`: its value is an argument in its place; `last`: its value is the last argument; `in`: its
 * value is a pattern of names in the folders that are named; `skip`: its value does not matter; `''`: it has no value and
 * does not matter; `-x`: it has no value and is this option; `-x=`: its value is that of this option; `program:x`: its value
 * is an argument, and this is the program; `as:x`: it has no value, and this is the program.
 */
type Parameters = Record<string, string>;

/** A command of PowerShell. */
export type Verb = {
  /** the program of bash with its first arguments */
  as: string;
  parameters: Parameters;
  /** what the arguments without a parameter mean, in their order; those behind the last one mean the same as it */
  positions?: ('word' | 'skip')[];
  /** it takes the files that come through the pipe */
  takesFiles?: true;
};

const COMMON: Parameters = {
  erroraction: 'skip',
  ea: 'skip',
  warningaction: 'skip',
  informationaction: 'skip',
  errorvariable: 'skip',
  outvariable: 'skip',
  verbose: '',
  debug: '',
  confirm: '',
  passthru: '',
  credential: 'skip',
};
const FILES: Parameters = {
  path: 'word',
  literalpath: 'word',
  pspath: 'word',
  filter: 'in',
  include: 'in',
  exclude: 'skip',
  ...COMMON,
};
const TEXT: Parameters = {
  ...FILES,
  filepath: 'word',
  value: 'skip',
  inputobject: 'skip',
  encoding: 'skip',
  width: 'skip',
  stream: 'skip',
  delimiter: 'skip',
  force: '',
  nonewline: '',
  noclobber: '',
  notypeinformation: '',
  append: '-a',
};
const REQUEST: Parameters = {
  uri: 'word',
  outfile: '-o=',
  infile: '-T=',
  method: '-X=',
  custommethod: '-X=',
  body: '-d=',
  form: '-F=',
  headers: '-H=',
  contenttype: 'skip',
  useragent: 'skip',
  timeoutsec: 'skip',
  proxy: '-x=',
  usebasicparsing: '',
  skipcertificatecheck: '-k',
  ...COMMON,
};
const NAMED: Parameters = { name: 'word', displayname: 'word', inputobject: 'word', force: '', ...COMMON };

const writes = (as: string): Verb => ({ as, parameters: TEXT, positions: ['word', 'skip'] });
const reads = (as: string): Verb => ({
  as,
  parameters: {
    ...FILES,
    raw: '',
    totalcount: 'skip',
    head: 'skip',
    first: 'skip',
    tail: 'skip',
    encoding: 'skip',
    delimiter: 'skip',
    algorithm: 'skip',
    stream: 'skip',
    wait: '',
    force: '',
    recurse: '',
    depth: 'skip',
    name: '',
    file: '',
    directory: '',
    hidden: '',
    ...(as === 'grep' && { pattern: 'skip', simplematch: '', context: 'skip', casesensitive: '' }),
  },
  takesFiles: true,
});
const files = (as: string, more: Parameters): Verb => ({
  as,
  parameters: { force: '-f', recurse: '-r', ...FILES, container: '', ...more },
  takesFiles: true,
});
const DISK: Verb = { as: 'mkfs /dev/disk', parameters: {}, positions: ['skip'] };
const service = (verb: string): Verb => ({ as: `systemctl ${verb}`, parameters: NAMED });

/** The commands, by their names in lower case. */
export const VERBS: Record<string, Verb> = {
  'remove-item': files('rm', { stream: 'skip' }),
  'copy-item': files('cp', { destination: 'last' }),
  'move-item': files('mv', { destination: 'last' }),
  'rename-item': files('mv', { newname: 'last' }),
  'set-content': writes('tee'),
  'clear-content': writes('tee'),
  'add-content': writes('tee -a'),
  'out-file': writes('tee'),
  'tee-object': writes('tee'),
  'export-csv': writes('tee'),
  'export-clixml': writes('tee'),
  'set-acl': { as: 'chmod 600', parameters: { ...FILES, aclobject: 'skip' } },
  'new-item': {
    as: 'touch',
    parameters: {
      ...FILES,
      name: 'in',
      // a file that is there is emptied
      force: 'as:tee',
      itemtype: 'skip',
      type: 'skip',
      value: 'skip',
      target: 'skip',
    },
  },
  'get-content': reads('cat'),
  'import-csv': reads('cat'),
  'import-clixml': reads('cat'),
  'get-filehash': reads('sha256sum'),
  'format-hex': reads('xxd'),
  'select-string': { ...reads('grep x'), positions: ['skip', 'word'] },
  'get-childitem': reads('ls'),
  'get-item': reads('ls'),
  'test-path': reads('ls'),
  'resolve-path': reads('ls'),
  'set-location': { as: 'cd', parameters: FILES },
  'push-location': { as: 'cd', parameters: FILES },
  'pop-location': { as: 'popd', parameters: {} },
  'invoke-webrequest': { as: 'curl', parameters: REQUEST },
  'invoke-restmethod': { as: 'curl', parameters: REQUEST },
  'start-bitstransfer': {
    as: 'curl',
    parameters: { source: 'word', destination: '-o=', ...COMMON },
  },
  'compress-archive': {
    as: 'tar -cf archive.tar',
    parameters: { ...FILES, destinationpath: '-f=', update: '', force: '', compressionlevel: 'skip' },
    positions: ['word', 'skip'],
    takesFiles: true,
  },
  'expand-archive': {
    as: 'unzip',
    parameters: { ...FILES, destinationpath: '-d=', force: '-o' },
    positions: ['word', 'skip'],
  },
  'get-process': { as: 'pgrep -l', parameters: { ...NAMED, id: 'word', includeusername: '' } },
  'stop-process': {
    as: 'kill',
    parameters: { ...NAMED, id: 'word', name: 'program:pkill', processname: 'program:pkill' },
  },
  'stop-service': service('stop'),
  'restart-service': service('restart'),
  'suspend-service': service('stop'),
  'remove-service': service('disable'),
  'set-service': service('disable'),
  'stop-computer': { as: 'shutdown now', parameters: COMMON, positions: ['skip'] },
  'restart-computer': { as: 'reboot', parameters: COMMON, positions: ['skip'] },
  'format-volume': DISK,
  'clear-disk': DISK,
  'initialize-disk': DISK,
  'remove-partition': DISK,
  'reset-physicaldisk': DISK,
  'write-output': { as: 'echo', parameters: { ...COMMON, inputobject: 'word', noenumerate: '' } },
  'write-host': {
    as: 'echo',
    parameters: { ...COMMON, object: 'word', foregroundcolor: 'skip', nonewline: '' },
  },
};

/** Other names of commands: those of PowerShell, and those of programs of Windows that do the same. */
export const ALIASES: Record<string, string> = Object.fromEntries(
  Object.entries({
    'remove-item': 'rm ri del erase rd rmdir rmtree',
    'copy-item': 'cp copy cpi xcopy robocopy',
    'move-item': 'mv move mi',
    'rename-item': 'ren rni',
    'set-content': 'sc',
    'add-content': 'ac',
    'clear-content': 'clc',
    'tee-object': 'tee',
    'new-item': 'ni',
    'get-content': 'cat gc type',
    'import-csv': 'ipcsv',
    'export-csv': 'epcsv',
    'select-string': 'sls',
    'get-childitem': 'ls gci dir',
    'get-item': 'gi',
    'resolve-path': 'rvpa',
    'set-location': 'cd sl chdir',
    'push-location': 'pushd',
    'pop-location': 'popd',
    'invoke-webrequest': 'iwr',
    'invoke-restmethod': 'irm',
    'invoke-expression': 'iex',
    'start-process': 'start saps',
    'foreach-object': '% foreach',
    'where-object': '? where',
    'get-process': 'gps',
    'stop-process': 'kill spps',
    'stop-service': 'spsv',
    'write-output': 'echo write',
    'set-acl': 'icacls cacls attrib takeown',
  }).flatMap(([name, others]) => others.split(' ').map((other) => [other, name])),
);

/** What the methods of .NET's classes for files do with their arguments. */
export const METHODS: { class: RegExp; name: RegExp; as: string }[] = [
  { class: /^(?:system\.)?io\.file$/i, name: /^(?:write|append|create|openwrite)/i, as: 'tee' },
  { class: /^(?:system\.)?io\.(?:file|directory)$/i, name: /^delete$/i, as: 'rm -r -f' },
  { class: /^(?:system\.)?io\.(?:file|directory)$/i, name: /^(?:move|replace)$/i, as: 'mv' },
  { class: /^(?:system\.)?io\.file$/i, name: /^copy$/i, as: 'cp' },
  { class: /^(?:system\.)?io\.file$/i, name: /^(?:read|open)/i, as: 'cat' },
  { class: /^(?:system\.)?environment$/i, name: /^getenvironmentvariables?$/i, as: 'printenv' },
];
