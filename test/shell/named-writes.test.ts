import { describe, expect, test } from 'vitest';
import { judgeByPolicy } from '../../src/commands/judge.ts';
import { builtinPolicy } from '../../src/commands/policy/index.ts';

// Programs in the line that write files. They run unasked only if each file is named by a plain string in the program,
// and lies where the project may write.

const place = { cwd: '/home/dev/project', root: '/home/dev/project', home: '/home/dev', tmp: '/tmp' };
const decide = (line: string) => judgeByPolicy(line, place, builtinPolicy).decision;
const py = (text: string, tail = '') => `python3 - <<'PY'\n${text}\nPY${tail}`;
const js = (text: string) => `node - <<'JS'\n${text}\nJS`;

describe('a program in the line that writes files', () => {
  test.each([
    py(
      "import re\npath = 'src/a.py'\ns = open(path).read()\ns = re.sub('a', 'b', s)\nopen(path, 'w').write(s)",
    ),
    py(
      "from pathlib import Path\np = Path('src/cart.ts')\ns = p.read_text()\np.write_text(s.replace('totalCents', 'totalMinor'))",
    ),
    py(
      "import re, pathlib\np = pathlib.Path('src/app/settings.py')\ns = p.read_text()\ns = re.sub(r'TIMEOUT = \\d+', 'TIMEOUT = 30', s)\np.write_text(s)",
    ),
    py(
      "path = 'src/a.py'\ns = open(path).read()\nassert 'x' in s\nopen(path, 'w').write(s.replace('x', 'y', 1))\nprint('ok')",
    ),
    py(
      "with open('src/a.py') as f:\n    s = f.read()\nwith open('src/a.py', 'w') as f:\n    f.write(s.replace('a', 'b'))",
    ),
    py(
      "import json\nd = json.load(open('data/x.json'))\nd['a'] = 1\njson.dump(d, open('data/x.json', 'w'), indent=2)",
    ),
    py(
      "from pathlib import Path\nfor name in ['src/a.ts', 'src/b.ts']:\n    p = Path(name)\n    p.write_text(p.read_text().replace('a', 'b'))",
    ),
    js(
      "const fs = require('fs');\nconst path = 'src/locales/en.json';\nconst d = JSON.parse(fs.readFileSync(path, 'utf8'));\nd.x = 1;\nfs.writeFileSync(path, JSON.stringify(d, null, 2) + '\\n');",
    ),
    js(
      "import { readFileSync, writeFileSync } from 'node:fs';\nwriteFileSync('src/a.ts', readFileSync('src/a.ts', 'utf8').replace('a', 'b'));",
    ),
    "python3 -c \"open('notes.txt','w').write('hi')\"",
    py("p='src/a.ts'\ns=open(p).read()\nopen(p,'w').write(s.replace('a','b'))", '\nnpx tsc --noEmit'),
  ])('%s runs unasked', (line) => expect(decide(line)).toBe('allow'));

  // each gives the variable another file in a way of its own
  test.each([
    '(p) = "/etc/x"',
    '[p] = ["/etc/x"]',
    '*p, = ["/etc/x"]',
    'for [p] in [["/etc/x"]]: pass',
    'for (p) in ["/etc/x"]: pass',
    'p: str = "/etc/x"',
    '(p): str = "/etc/x"',
    'match "/etc/x":\n  case p: pass',
    'match ["/etc/x"]:\n  case [p]: pass',
    'import __main__ as m\nm.p = "/etc/x"',
    'def p(): pass',
    'for i, p in enumerate(["/etc/x"]): pass',
    'q = [0]; q[0], p = 1, "/etc/x"',
    'try:\n  raise Exception("/etc/x")\nexcept Exception as p: pass',
    'p = 1 and "/etc/x"',
    'globals()["p"] = "/etc/x"',
  ])('in Python, a variable that %s may be another file', (other) => {
    expect(decide(py(`import re\np = 'src/a'\n${other}\nopen(p, 'w').write('x')`))).not.toBe('allow');
  });

  test.each([
    'var p="src/a";globalThis.p="/etc/x";W',
    'let p="src/a";((a=String(), p)=>W)(1,"/etc/x")',
    'let p="src/a";function f(a=String(), p){W};f(1,"/etc/x")',
    'let p="src/a";({w(p){W}}).w("/etc/x")',
    'let p="src/a";class A{w(p){W}};new A().w("/etc/x")',
    'let p="src/a";["/etc/x"].forEach(function(p){W})',
    'let p="src/a";[q,p]=[1,"/etc/x"];W',
    'let p="src/a";({a:p}={a:"/etc/x"});W',
    'let p="src/a";for(const [p] of [["/etc/x"]])W',
    'let p="src/a";let q=p\n="/etc/x";W',
    'let p="src/a";const o={set w(p){W}};o.w="/etc/x"',
  ])('in JavaScript, a variable may be another file: %s', (code) => {
    const write = 'fs.writeFileSync(p,"x")';
    expect(decide(js(`const fs=require('fs');${code.replace('W', write)}`))).not.toBe('allow');
  });

  test.each([
    py("import re\np = 'src/a'\np = '/etc/x'\nopen(p, 'w').write('x')"),
    py("import re\nx = 1\np = 'src/a'\nif x:\n  p = '../../x'\nopen(p, 'w').write('x')"),
    py("import re\nq = p = 'src/a'\nopen(q, 'w').write('x')"),
    py("import re\np = 'src/a'; p = p + '/../../../x'\nopen(p, 'w').write('x')"),
    py("import re\np = 'src/a' if x else '/etc/x'\nopen(p, 'w').write('x')"),
    py("import re\np = 'src/a', '/etc/x'\nopen(p[1], 'w').write('x')"),
    py("from pathlib import Path\np = Path('src', '../../x')\np.write_text('x')"),
    py("from pathlib import Path\np = Path('src/a')\nq = Path(p, '../../../x')\nq.write_text('x')"),
    py("from pathlib import Path\nd = {'p': 'src/a'}\nd.update(p='/etc/x')\nopen(d['p'], 'w').write('x')"),
    js("const fs=require('fs');let p='src/a';\nconst o={};o.p=p;p=o;fs.writeFileSync(p,'x')"),
    py("from pathlib import Path\nPath('/etc/hosts').write_text('x')"),
    py("from pathlib import Path\nPath('../other/x.ts').write_text('x')"),
    py("from pathlib import Path\nPath('package.json').write_text('x')"),
    py("from pathlib import Path\nPath('.lore/rules.json').write_text('x')"),
    py("from pathlib import Path\nPath('.git/hooks/pre-commit').write_text('x')"),
    py("from pathlib import Path\nPath('src/a.ts').write_text('')"),
    py("open('src/a.ts', 'w').close()"),
    py("import sys\nopen(sys.argv[1], 'w').write('x')"),
    py("from pathlib import Path\np = Path('src/a.ts')\np.replace('/etc/x')\np.write_text('x')"),
    py("from pathlib import Path\nfor p in Path('src').rglob('*.py'):\n    p.write_text('x')"),
    py("from pathlib import Path\np = Path('src') / '..' / '..' / 'x'\np.write_text('x')"),
    py("from pathlib import Path\nn = '../x'\np = Path('src')\nq = p / n\nq.write_text('x')"),
    py("p = 'src/a'\np += '/../../x'\nopen(p, 'w').write('x')"),
    py("p = 'src/a'\np = input()\nopen(p, 'w').write('x')"),
    py("p = 'src/a'\nfor p in x():\n  open(p, 'w').write('x')"),
    py("p = 'src/a' + '/../../../x'\nopen(p, 'w').write('x')"),
    py("p = f'{x}/a'\nopen(p, 'w').write('x')"),
    py("def w(p):\n  open(p, 'w').write('x')\np = 'src/a'\nw('/etc/x')"),
    py("from os import replace\nreplace('a', '/etc/x')"),
    py("from os import replace\nreplace('a', '/etc/x')\nopen('a','w').write('x')"),
    py("open('conftest.py','w').write('import os')", '\npytest'),
    py("open('src/a.py','w').write('import os')", '\npython src/a.py'),
    py("a, p = x(), 'src/a'\nopen(p, 'w').write('x')"),
    py("open(file='/etc/x', mode='w').write('x')"),
    py("import builtins\nbuiltins.open('/etc/x', 'w').write('x')"),
    py("o = open\no('/etc/x', 'w').write('x')"),
    py("from pathlib import Path as P\nP('/etc/x').write_text('x')"),
    py("from pathlib import Path\nP = Path\nP('/etc/x').write_text('x')"),
    py("from pathlib import Path\np = Path.home()\np.write_text('x')"),
    py("(p := 'src/a') and open(p, 'w').write('x')"),
    py("open('src/a'\n'/../../../x', 'w').write('x')"),
    py("open(r'src/a', 'w').write('x')"),
    py("from pathlib import Path\nPath('src/a.ts').with_name('b.ts').write_text('x')"),
    py("import codecs\ncodecs.open('/etc/x', 'w').write('x')"),
    py("p='src/a.ts'\nwith open(p) as f, open('/etc/x','w') as g:\n  g.write(f.read())"),
    py("p='src/a.ts'\nclass A:\n  p='/etc/x'\nopen(A.p,'w').write('x')"),
    py("globals()['p']='/etc/x'\np='src/a'\nopen(p,'w').write('x')"),
    js("const fs=require('fs');fs.writeFileSync(process.argv[2],'x')"),
    js("const fs=require('fs');let p='src/a';[p]=[q()];fs.writeFileSync(p,'x')"),
    js("const fs=require('fs');let p='src/a';({p}=q());fs.writeFileSync(p,'x')"),
    js("const fs=require('fs');var p='src/a';var [[p]]=q();fs.writeFileSync(p,'x')"),
    py("import re\np='src/a'\n(a,\n p) = re.split('x', s)\nopen(p,'w').write('x')"),
    py("import re\np='src/a'\n(a, p\n) = re.split('x', s)\nopen(p,'w').write('x')"),
    py("import re\np='src/a'\na, (p, b) = re.split('x', s)\nopen(p,'w').write('x')"),
    py("import re\np='src/a'\n[a, *p] = re.split('x', s)\nopen(p,'w').write('x')"),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the template belongs to the program under test
    js("const fs=require('fs');const p='src/a';fs.writeFileSync(`${p}/../../x`,'x')"),
    js("const fs=require('fs');fs.writeFileSync('/etc/x','x')"),
    js("const fs=require('fs');const w=fs.writeFileSync;w('/etc/x','x');fs.writeFileSync('src/a','x')"),
    js("const fs=require('fs');let p='src/a';[p]=['/etc/x'];fs.writeFileSync(p,'x')"),
    js("const fs=require('fs');let p='src/a';({p}={p:'/etc/x'});fs.writeFileSync(p,'x')"),
    js("const fs=require('fs');let p='src/a'\n+'/../../x';fs.writeFileSync(p,'x')"),
    js("const fs=require('fs');['/etc/x'].forEach(p=>fs.writeFileSync(p,'x'))"),
    js("const fs=require('fs');const p='src/a';['/etc/x'].forEach(p=>fs.writeFileSync(p,'x'))"),
    js("const fs=require('fs');const p='src/a';function f(p){fs.writeFileSync(p,'x')} f('/etc/x')"),
    js("const fs=require('fs');fs['writeFileSync']('/etc/x','x');fs.writeFileSync('src/a','x')"),
    js("const {writeFileSync:w,writeFileSync}=require('fs');w('/etc/x','x');writeFileSync('src/a','x')"),
    js("const fs=require('fs');fs.writeFileSync('src/a.ts','')"),
    js("const fs=require('fs');const p='src/a';try{throw '/etc/x'}catch(p){fs.writeFileSync(p,'x')}"),
    js("const fs=require('fs');let p='src/a';for(p of ['/etc/x'])fs.writeFileSync(p,'x')"),
    js("const fs=require('fs');let p='src/a';p=p.replace('src','/etc');fs.writeFileSync(p,'x')"),
    js("const fs=require('fs');let p='src/a';p??='/x';p||='/y';fs.writeFileSync(p,'x')"),
  ])('%s is left to the person', (line) => expect(decide(line)).not.toBe('allow'));
});
