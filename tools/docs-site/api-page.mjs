const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * A page in Markdown about every operation of an API document, so that the site's search finds them.
 *
 * @param {any} api
 * @param {string} file the document's name, under which the site serves it
 */
export function apiPage(api, file) {
  const operations = Object.entries(api.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => ({ path, method, ...item[method] })),
  );
  const sections = (api.tags ?? []).flatMap(({ name, description }) => [
    `## ${name}\n\n${description ?? ''}`,
    ...operations
      .filter(({ tags = [] }) => tags[0] === name)
      .map((operation) => operationText(api, operation)),
  ]);
  return `# HTTP API: ${api.info.title}\n\nThe document: [${file}](/${file}){target="_blank"}.\n\n${sections.join('\n\n')}\n`;
}

function operationText(api, operation) {
  const { path, method, summary, description, parameters = [], requestBody, responses } = operation;
  const scope = operation['x-required-scope'];
  return [
    `### \`${method.toUpperCase()} ${path}\``,
    [summary, description]
      .filter(Boolean)
      .map((text) => text.replace(/\.?$/, '.'))
      .join(' '),
    scope && `Scope: \`${scope}\`.`,
    parameters.length > 0 &&
      table(
        ['parameter', 'in', 'type', 'meaning'],
        parameters.map(({ name, in: place, schema, description: text, required }) => [
          `\`${name}\`${required ? ' (required)' : ''}`,
          place,
          typeOf(schema),
          text,
        ]),
      ),
    requestBody && `Body: ${contentOf(requestBody)}.`,
    table(
      ['status', 'body', 'meaning'],
      Object.entries(responses).map(([status, response]) => [
        status,
        contentOf(response),
        response.description,
      ]),
    ),
    ...schemasOf(api, requestBody, responses),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** The members of what it takes and what it answers on success. */
function schemasOf(api, requestBody, responses) {
  const success = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const contents = [requestBody, ...success.map(([, response]) => response)].flatMap((body) =>
    Object.values(body?.content ?? {}),
  );
  const names = new Set(contents.flatMap(({ schema }) => nameOf(schema) ?? []));
  return [...names].flatMap((name) => {
    const { properties, required = [] } = api.components.schemas[name] ?? {};
    if (!properties) return [];
    const rows = Object.entries(properties).map(([member, schema]) => [
      `\`${member}\`${required.includes(member) ? ' (always)' : ''}`,
      typeOf(schema),
      schema.description,
    ]);
    return [`::: details ${name}\n${table(['member', 'type', 'meaning'], rows)}\n:::`];
  });
}

function contentOf({ content = {} }) {
  return Object.entries(content)
    .map(([type, { schema }]) => `\`${type}\`${nameOf(schema) ? ` (${nameOf(schema)})` : ''}`)
    .join(', ');
}

const nameOf = (schema) => schema?.$ref?.split('/').at(-1);

function typeOf(schema = {}) {
  if (schema.$ref) return nameOf(schema);
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ');
  const type = [schema.type ?? ''].flat().join(' or ');
  return type === 'array' ? `array of ${typeOf(schema.items)}` : type;
}

function table(titles, rows) {
  const line = (cells) => `| ${cells.map((cell) => cellText(cell)).join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n');
}

function cellText(text = '') {
  return String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
}
