import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeByPolicy } from '../../src/commands/judge.ts';
import { builtinPolicy } from '../../src/commands/policy/index.ts';
import { interpreterOf } from '../../src/shell/inline-code/languages.ts';
import { readCode } from '../../src/shell/inline-code/read-code.ts';
import { anyText } from '../support/any-text.ts';

const place = { cwd: '/home/dev/project', root: '/home/dev/project', home: '/home/dev', tmp: '/tmp' };
const effectsOf = (program: string, text: string) => {
  const interpreter = interpreterOf(program);
  if (!interpreter) throw new Error(`${program} is no interpreter`);
  return readCode(text, interpreter.language).effects;
};
const decide = (line: string) => judgeByPolicy(line, place, builtinPolicy).decision;

describe('a program in the line', () => {
  test.each([
    ['python', 'print(f"{1+1}")'],
    ['python', 'import json, sys\nfor row in json.load(sys.stdin):\n    print(row["name"])'],
    ['node', 'const x = [1, 2]; console.log(x.map((n) => n * 2).join(","))'],
    ['perl', 'print if /rm -rf/'],
    ['ruby', '[1, 2].each { |n| puts n }'],
    ['php', 'echo strtoupper("a");'],
    ['python', 'import re, json\nprint(json.dumps(re.findall(r"foo", open("notes.txt").read())))'],
    ['node', 'console.log(require("./package.json").version, process.env.HOME)'],
    ['ruby', 'require "json"\nputs JSON.parse(File.read("a.json")).fetch("b")'],
    ['ruby', 'puts [1, 2].include?(1), ENV["HOME"]'],
    ['lua', 'for l in io.lines() do print(#l, l:upper()) end'],
    ['awk', '/socket|system/ { print $1, length($2) }'],
    ['julia', 'println(sum([1, 2]))'],
    ['groovy', 'println [1, 2].size()'],
    ['ruby', 'e = {"a" => 1}; puts "#{e["a"]}: #{e.dig("b", "c").inspect}"'],
    ['ruby', 'puts YAML.load_file("config/a.yml")["nb"].keys.sort'],
    ['lua', 'local f = io.open("config.lua"); print(#f:read("a")); f:close()'],
    ['python', 'print(f"{d["a"]} {{}} {1:>4}")'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the same
    ['node', 'const n = [1], m = 2; console.log(`${n[0] / m} of ${(n.length/m).toFixed(1)} ${m % 2}`)'],
    ['php', '<?php echo strtoupper("a");'],
    ['rscript', 'd <- read.csv("a.csv"); print(summary(d)); print(cor(d$x, d$y))'],
  ] as const)('%s: %s only computes', (language, code) => {
    expect(effectsOf(language, code)).toEqual(['harmless']);
  });

  test.each([
    ['python', 'from os import system as s; s("ls")', 'commands'],
    ['python', 'print(f"{__import__(\'os\').getcwd()}")', 'dynamic'],
    ['python', 'open("x", "w")', 'writes'],
    ['node', 'process["bind" + "ing"]("spawn_sync")', 'dynamic'],
    ['node', 'require("node:child_process")', 'commands'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the template belongs to the program under test
    ['node', 'console.log(`${require("fs").rmSync("x")}`)', 'deletes'],
    ['perl', 's/x/unlink("y")/e', 'deletes'],
    // a quote that opens no string, code in a string whose end is not sure, ends of lines and comments
    ['ruby', 'a = [?", ?{]; `ls`; b = [?", ?}]; puts "#{a["0"]}"', 'other'],
    ['ruby', 'puts "# #{"#"} #{exec("ls")}"', 'other'],
    ['ruby', 'puts "#{"#{"#{`ls`}"}"}"', 'other'],
    ['ruby', `puts "#{[${'1, '.repeat(300)}"}"].map { exec("ls") }}"`, 'other'],
    ['node', 'let x = 1 // note\u2028require("child_process")', 'commands'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the template belongs to the program under test
    ['node', '`${1 // }\n + require("child_process").execSync("ls")}`', 'other'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the same
    ['php', 'echo "x ${unlink("a")}";', 'dynamic'],
    ['ruby', 'puts "#{?}; system("ls")}"', 'other'],
    ['ruby', 'puts "#{%q(") + "}; system("ls"); puts "#{%q(")}"', 'other'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the same
    ['node', '`${/}/.exec(x) + require("child_process").execSync("ls")}`', 'other'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the same
    ['node', '`${typeof /}/ + require("child_process").execSync("ls")}`', 'other'],
    // whatever hides a call, it is seen
    ['ruby', 'p $".size; system(%q(ls)) #"', 'other'],
    ['ruby', 'puts "a b".sub /["]/, ""; File.delete(%q(a)) #"', 'other'],
    ['ruby', 'x = %q#"#; `ls` #"', 'other'],
    ['node', 'if (1) /"/; require("child_process").execSync("ls") //"', 'other'],
    ['perl', 'print "$x[system q(ls)]"', 'other'],
    ['perl', 'my %h; print $h{s}; system("ls"); print $h{s}, $h{s};', 'other'],
    ['julia', "c = '''; rm(\"a\", recursive=true) #'", 'other'],
    ['python', 'import os\nmatch os.system:\n    case print: print("ls")', 'commands'],
    ['php', 'use function system as strlen; echo strlen("ls");', 'dynamic'],
    ['rscript', 'cat("x", file="|ls")', 'commands'],
    ['php', 'echo 1; // done ?><?php system("ls");', 'dynamic'],
    ['julia', "a = [1 2]'; run(`ls`); b = [3 4]'", 'other'],
    ['julia', '#= #= " =# " =# rm("a") #= " =#', 'dynamic'],
    ['rscript', 'a <- r"(")"; unlink("a"); b <- r"(")"', 'dynamic'],
    ['rscript', '"system"("ls")', 'dynamic'],
    ['python', '# -*- coding: utf-7 -*-\n# +AAo-import os', 'dynamic'],
    ['ruby', 'puts "#{`ls`}"', 'commands'],
    ['php', '$f("x");', 'dynamic'],
    // a function under another name
    ['python', 'o = open; o("x", "a")', 'other'],
    ['python', 'import os\nr = os.replace\nr("a", "b")', 'writes'],
    ['node', 'const r = require; r("child_" + "process")', 'dynamic'],
    // a function or a command named by a string
    ['php', 'array_map("\\\\system", ["id"]);', 'commands'],
    ['ruby', 'open("|id") { |f| puts f.read }', 'commands'],
    ['ruby', '%w[a].each(&method(:system))', 'dynamic'],
    ['perl', '@ARGV = ("id|"); print <>', 'commands'],
    ['lua', 'print(#t) os.execute("id")', 'commands'],
    ['lua', 'os["exec" .. "ute"]("id")', 'dynamic'],
    ['lua', 'os.remove"x"', 'deletes'],
    ['awk', 'BEGIN { "id" | getline x; print x }', 'commands'],
    ['awk', '{ print $1 | "sh" }', 'commands'],
    ['awk', '{ print > "/etc/x" }', 'writes'],
    ['julia', 'run(`ls`)', 'commands'],
    ['groovy', '"ls".execute()', 'commands'],
    ['osascript', 'do shell script "ls"', 'commands'],
  ] as const)('%s: %s may do more', (language, code, effect) => {
    expect(effectsOf(language, code)).toContain(effect);
  });

  test.each([
    ["python3 -c \"import subprocess; subprocess.run(['rm', '-rf', '/'])\"", 'deny'],
    ["python3 -c \"import os; os.system('rm ' + '-rf /')\"", 'deny'],
    ['python3 - <<EOF\nimport os\nos.system("rm -rf ~")\nEOF', 'deny'],
    ['echo "import os; os.system(\'rm -rf /\')" | python3', 'deny'],
    ['python3 -c "print(\'rm -rf /\')"', 'allow'],
    ['python3 -c "import subprocess; subprocess.run([\'ls\'])"', 'unknown'],
  ])('%s: %s', (line, decision) => expect(decide(line)).toBe(decision));
});

describe('a program that opens a connection has the effect network', () => {
  test.each([
    ['python', 'import socket; s = socket.socket()'],
    ['python', 'import asyncio; asyncio.run(asyncio.open_connection("x", 1))'],
    ['python', 'import imaplib; f = imaplib.IMAP4; f("x")'],
    ['node', 'require("net").connect(1, "x")'],
    ['node', 'import("node:tls").then((t) => t.connect(1))'],
    ['node', 'require("got")("https://x.example")'],
    ['deno', 'await Deno.connect({ port: 1 })'],
    ['bun', 'Bun.connect({ hostname: "x", port: 1 })'],
    ['ruby', 'TCPSocket.new("x", 1)'],
    ['ruby', 'Addrinfo.tcp("x", 1).connect'],
    ['ruby', 'require "open-uri"; URI("https://x").read'],
    ['perl', 'use IO::Socket::INET; IO::Socket::INET->new("x:1")'],
    ['perl', 'socket(S, 2, 1, 6)'],
    ['php', 'fsockopen("x", 1);'],
    ['php', 'echo file_get_contents("https://x.example");'],
    ['lua', 'require("socket").tcp()'],
    ['awk', 'BEGIN { s = "/inet/tcp/0/x/1"; s |& getline l }'],
    ['r', 'download.file("https://x.example", "x")'],
    ['elixir', ':gen_tcp.connect("x", 1, [])'],
  ])('%s: %s', (program, text) => expect(effectsOf(program, text)).toContain('network'));
});

describe('a program that starts another one has the effect commands', () => {
  test.each([
    ['python', 'import subprocess as s; s.run(["ls"])'],
    ['python', 'import asyncio; asyncio.create_subprocess_exec("ls")'],
    ['python', 'import pty; pty.spawn("sh")'],
    ['node', 'require("child_process").fork("x")'],
    ['node', 'require("execa")("ls")'],
    ['deno', 'new Deno.Command("ls").spawn()'],
    ['bun', 'Bun.spawn(["ls"])'],
    ['ruby', 'IO.popen("ls")'],
    ['ruby', 'require "open3"; Open3.capture2("ls")'],
    ['ruby', 'puts %x(ls)'],
    ['ruby', 'spawn "ls"'],
    ['perl', 'exec "ls"'],
    ['perl', 'print qx(ls)'],
    ['perl', 'open(F, "ls|")'],
    ['php', 'proc_open("ls", [], $p);'],
    ['php', 'echo `ls`;'],
    ['lua', 'io.popen("ls")'],
    ['lua', 'os.execute"ls"'],
    ['awk', 'BEGIN { system("ls") }'],
  ])('%s: %s', (program, text) => {
    const effects = effectsOf(program, text);
    expect(effects).not.toContain('harmless');
    if (!text.startsWith('open(')) expect(effects).toContain('commands');
  });
});

describe('a program that deletes has the effect deletes', () => {
  test.each([
    ['python', 'import pathlib; pathlib.Path("x").unlink()'],
    ['python', 'import os; os.removedirs("x")'],
    ['node', 'require("fs").promises.rm("x")'],
    ['deno', 'Deno.removeSync("x")'],
    ['ruby', 'File.delete("x")'],
    ['ruby', 'Dir.rmdir "x"'],
    ['ruby', 'require "fileutils"; FileUtils.rm_rf("x")'],
    ['perl', 'unlink glob "*"'],
    ['perl', 'use File::Path; remove_tree("x")'],
    ['php', 'array_map("unlink", glob("*"));'],
    ['lua', 'os.remove("x")'],
    ['julia', 'rm("x", recursive=true)'],
    ['r', 'unlink("x", recursive = TRUE)'],
  ])('%s: %s', (program, text) => expect(effectsOf(program, text)).toContain('deletes'));
});

describe('runners and escapes', () => {
  test.each([
    ['npx --yes rimraf@5 /', 'deny'],
    ['uv run python -c "import shutil; shutil.rmtree(\'/\')"', 'deny'],
    ['bundle exec rake db:drop', 'deny'],
    ['python3 -m pytest -q', 'allow'],
    ['curl -s https://example.com/a.json | python3 -mjson.tool', 'allow'],
    ['pypy3.10 -munheard_of', 'unknown'],
    ['python3 -c\'import shutil; shutil.rmtree("/")\'', 'deny'],
    ['ruby -e\'system "rm -rf /"\'', 'deny'],
    ['concurrently "npm run dev" "rm -rf /"', 'deny'],
    ["vim -c ':!rm -rf /'", 'deny'],
    ['bash <(curl -s https://example.com/i.sh)', 'deny'],
    ['diff <(curl -s https://example.com/a) b.txt', 'allow'],
  ])('%s: %s', (line, decision) => expect(decide(line)).toBe(decision));
});

test('reading code never throws, whatever the code is', () => {
  fc.assert(
    fc.property(
      anyText({ maxLength: 400 }),
      fc.constantFrom('python', 'node', 'perl', 'ruby', 'php', 'lua', 'awk', 'julia', 'groovy', 'osascript'),
      (text, language) => {
        const effects = effectsOf(language, text);
        expect(effects.length).toBeGreaterThan(0);
        expect(effects.length === 1 || !effects.includes('harmless')).toBe(true);
      },
    ),
  );
});
