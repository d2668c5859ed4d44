import { type Candidate, type Lines, toCandidate } from './candidate.js';

/** In a file that cannot be parsed, such as a template of YAML: `key: value` lines. */
export function looseText(text: string, lines: Lines): Candidate[] {
  return [
    ...looseSettings(text, lines),
    ...loosePairs(text, lines),
    ...quotedSettings(text, lines),
    ...namedArguments(text, lines),
    ...wordSettings(text, lines),
    ...xmlSettings(text, lines),
    ...commentedOut(text, lines),
  ];
}

/** In any other text: variables, options, quoted text that is assigned, elements of XML. */
export function otherText(text: string, lines: Lines): Candidate[] {
  return [
    ...bareSettings(text, lines),
    ...markedSettings(text, lines),
    ...quotedSettings(text, lines),
    ...namedArguments(text, lines),
    ...wordSettings(text, lines, true),
    ...xmlSettings(text, lines),
    ...commentedOut(text, lines),
  ];
}

/** `# password: hunter2`: settings in comments, which may have been in use. */
export function commentedOut(text: string, lines: Lines): Candidate[] {
  const pattern =
    /(?:^|(?<=\s))(?:[#;]+|\/\/)[ \t]*(?:- )?["']?([\w.-]{2,64})["']?[ \t]*[:=][ \t]*(\S[^\r\n]*)$/gm;
  return [...text.matchAll(pattern)].flatMap(({ 1: key = '', 2: raw = '', index }) => {
    const written = raw.replace(/\s[#;].*$/, '').trim();
    const [candidate] = toCandidate([key], written, lines.lineOf(index));
    // Prose has a colon, too.
    return !candidate || /\s/.test(candidate.value) ? [] : [candidate];
  });
}

function looseSettings(text: string, lines: Lines): Candidate[] {
  const pattern = /^[ \t]*(?:- +)*["']?([\w.-]{1,64})["']?[ \t]*(?::[ \t]+|=[ \t]*)(\S[^\r\n]*)$/gm;
  return [...text.matchAll(pattern)].flatMap(({ 1: key = '', 2: raw = '', index }) => {
    const value = raw
      .replace(/\s#.*$/, '')
      .trimEnd()
      .replace(/,$/, '');
    return /^[|>&*]/.test(value) ? [] : toCandidate([key], value, lines.lineOf(index));
  });
}

/** `- name: DB_PASSWORD` and below it `value: hunter2`. */
function loosePairs(text: string, lines: Lines): Candidate[] {
  const pattern =
    /^[ \t]*(?:- +)?name:[ \t]*["']?([\w.-]{1,64})["']?[ \t]*(\r?\n)[ \t]*value:[ \t]+(\S[^\r\n]*)$/gm;
  return [...text.matchAll(pattern)].flatMap(({ 0: all, 1: name = '', 3: raw = '', index }) =>
    toCandidate([name], raw.replace(/\s#.*$/, '').trimEnd(), lines.lineOf(index + all.length)),
  );
}

/** `key = "value"` and `config['key'] = 'value'` anywhere, as in programs. */
export function quotedSettings(text: string, lines: Lines): Candidate[] {
  const pattern =
    /(?<![\w.])["']?([A-Za-z_][\w.-]{1,64})["']?\]?[ \t]*(?:=|:|=>|:=)[ \t]*(["'])((?:(?!\2)[^\\\r\n]){1,512})\2/g;
  return [...text.matchAll(pattern)].flatMap(({ 1: key = '', 3: value = '', index }) =>
    toCandidate([key], value, lines.lineOf(index)),
  );
}

/** `define('DB_PASSWORD', 'hunter2')`, `getenv("DB_PASSWORD", "hunter2")`: the key is an argument of what sets or reads it. */
function namedArguments(text: string, lines: Lines): Candidate[] {
  const pattern =
    /\b(?:define|env|fetch|get|getenv|getProperty|put|setdefault|setenv|setProperty)\([ \t]*(["'])([A-Za-z_][\w.-]{1,64})\1[ \t]*,[ \t]*(["'])((?:(?!\3)[^\\\r\n]){1,512})\3/g;
  return [...text.matchAll(pattern)].flatMap(({ 2: key = '', 4: value = '', index }) =>
    toCandidate([key], value, lines.lineOf(index)).map((one) => ({ ...one, isPart: true })),
  );
}

/** Lines of `KEY=value`, `ENV KEY value`, `key: value1` or `key value1`, without quotes. */
function bareSettings(text: string, lines: Lines): Candidate[] {
  const pattern =
    /^[ \t]*(?:- +)?(?:(?:export|set|setx|ENV|ARG)[ \t]+)?([A-Za-z_][\w.-]{1,64})(?:[ \t]*[:=][ \t]*|[ \t]+)([^\s"'`$(=:]\S*)[ \t]*$/gm;
  return [...text.matchAll(pattern)].flatMap(({ 0: all, 1: key = '', 2: raw = '', index }) => {
    const value = raw.replace(/[,;]$/, '');
    const isVariable =
      /^[A-Z][A-Z0-9_]{2,64}$/.test(key) && (all.includes(`${key}=`) || /^[ \t]*(ENV|ARG|setx)\s/.test(all));
    return isVariable || !isExpression(value) ? toCandidate([key], value, lines.lineOf(index)) : [];
  });
}

/** `requirepass hunter2`: two words, as in files of settings without separators. */
export function spacedSettings(text: string, lines: Lines): Candidate[] {
  const pattern = /^[ \t]*([A-Za-z][\w-]{1,63})[ \t]+([^\s=:]\S*?)[ \t]*;?[ \t]*$/gm;
  return [...text.matchAll(pattern)].flatMap(({ 1: key = '', 2: value = '', index }) =>
    toCandidate([key], value, lines.lineOf(index)).map((one) => ({ ...one, isPart: true })),
  );
}

/** Documents of other formats, and documentation of this one. */
function markedSettings(text: string, lines: Lines): Candidate[] {
  const pattern =
    /(?<![\w.-])["']?([\w.-]{1,64})["']?[ \t]*[:=][ \t]*(["']?!encpwd-plain[ \t]+\S[^\r\n]*)$/gm;
  return [...text.matchAll(pattern)].flatMap(({ 1: key = '', 2: written = '', index }) =>
    toCandidate([key], written, lines.lineOf(index)),
  );
}

/** What stands for a value in a program or in prose: `user.password`, `getToken()`, `string`. */
const isExpression = (value: string): boolean =>
  /[()[\]{}<>]/.test(value) || /^[A-Za-z_$]+([.?!/-]+[A-Za-z_$]+)*[.?!]*$/.test(value);

/** Variables and options among other words: `PGPASSWORD=x psql`, `run --password x`, `Environment=DB_PASSWORD=x`. */
export function wordSettings(text: string, lines: Lines, isProgram = false): Candidate[] {
  const pattern =
    /(?<![\w.$?&-])(?:--?([A-Za-z][\w.-]{1,63})|([A-Za-z_][\w.-]{1,63}))=(?:"([^"\r\n]{1,512})"|'([^'\r\n]{1,512})'|([^\s"'<>]{1,512}))|(?<!\S)--?([A-Za-z][\w-]{1,63})[ \t]+(?=(?!-)["']?([^\s"'|;&]{1,512}))/g;
  return [...text.matchAll(pattern)].flatMap((match) => {
    const { 1: option, 2: variable, 3: double, 4: single, 5: bare, 6: flag, 7: argument, index } = match;
    const value = double ?? single ?? bare ?? argument ?? '';
    const line = lines.lineOf(index);
    // `Environment=DB_PASSWORD=hunter2`, `username=app,password=hunter2`
    const inner = (bare ?? double ?? single)?.split(/[,;](?=[A-Za-z_]\w*=)/) ?? [];
    const nested = inner.flatMap((one) =>
      /^[A-Za-z_]\w*=/.test(one) ? wordSettings(one, { lineOf: () => line }) : [],
    );
    const name = option ?? variable ?? flag ?? '';
    const isCode =
      isProgram &&
      variable !== undefined &&
      bare !== undefined &&
      !/^[A-Z0-9_]+$/.test(name) &&
      isExpression(value.replace(/[,;:)\]}]+$/, ''));
    return [...nested, ...(isCode ? [] : [{ path: [name], value, line, isPart: true }])];
  });
}

/** Elements whose name, or whose attribute `name` or `key`, is that of a setting. */
const ELEMENT =
  /<([A-Za-z_][\w.:-]{0,63})((?:\s[^<>]{0,512})?)>\s{0,64}(?:<!\[CDATA\[)?([^<>]{1,4096})(?:\]\]>)?\s{0,64}<\/\1>/g;

/** `<property name="password" value="hunter2"/>`. */
const PAIR =
  /\b(?:name|key|id)\s{0,8}=\s{0,8}(["'])([^"'<>]{1,128})\1[^<>]{0,256}?\bvalue\s{0,8}=\s{0,8}(["'])([^<>]{1,512}?)\3/gi;

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Settings in XML; attributes such as `password="hunter2"` are those of any text. */
function xmlSettings(text: string, lines: Lines): Candidate[] {
  if (!text.includes('<')) return [];
  return [
    ...Array.from(
      text.matchAll(ELEMENT),
      ({ 0: all, 1: tag = '', 2: attributes = '', 3: value = '', index }) => ({
        path: [
          /\b(?:name|key)\s{0,8}=\s{0,8}["']([^"']{1,128})["']/.exec(attributes)?.[1] ??
            tag.replace(/^.*:/, ''),
        ],
        value: decode(value.trim()),
        line: lines.lineOf(index + all.indexOf(value) + value.search(/\S|$/)),
      }),
    ),
    ...Array.from(text.matchAll(PAIR), ({ 0: all, 2: name = '', 4: value = '', index }) => ({
      path: [name],
      value: decode(value),
      line: lines.lineOf(index + all.length),
    })),
  ];
}

const decode = (text: string): string =>
  text.replace(/&(lt|gt|amp|quot|apos);/g, (_all, name: string) => ENTITIES[name]!);
