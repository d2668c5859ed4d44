import type { AddressMap } from './address-map.js';
import { drawMap, STRENGTHS } from './draw-map.js';
import type { GroupCount, Inspection } from './inspect-lookup.js';

/** Colours of the largest groups, largest first: muted, and safe for colour blindness. */
const COLOURS = [
  '#4c78a8',
  '#e2a14e',
  '#5aa08c',
  '#c8695f',
  '#8a79b0',
  '#8fa548',
  '#d58ea6',
  '#3f95a8',
  '#a9805a',
  '#6a7b8f',
  '#c4b14c',
  '#9c6a86',
];
const OTHER_COLOUR = '#b9bec4';
const EMPTY_COLOUR = '#f6f5f1';

const WIDTH = 1180;
const HEIGHT = 900;
const MAIN_SIZE = 768;
const SIDE_SIZE = 284;
const MARGIN = 32;
const LEGEND_X = MARGIN + MAIN_SIZE + 36;
const LEGEND_WIDTH = 304;
const ROW = 22;

const MAX_LABEL = 26;

/** A legend's row: a colour, its meaning, and a number. */
interface LegendRow {
  readonly colour: string;
  readonly opacity?: number;
  readonly label: string;
  readonly figure?: string;
}

/**
 * Draws what a lookup covers as a picture: the address space along a Hilbert curve, coloured by the largest
 * values of the inspected column, with a legend.
 *
 * @returns an SVG document
 */
export function drawInspection(inspection: Inspection): string {
  const [main, side] = inspection.maps as [AddressMap, AddressMap | undefined];
  const colourOf = (group: number): string => COLOURS[group] ?? OTHER_COLOUR;
  const parts = [
    heading(inspection, main),
    drawMap(main, { x: MARGIN, y: 96, size: MAIN_SIZE, colourOf }),
    legend(inspection, main),
    side === undefined ? '' : sideMap(side, colourOf),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="system-ui, 'Helvetica Neue', 'DejaVu Sans', sans-serif" font-size="13" fill="#22313f">`,
    `<title>${escapeXml(`What ${inspection.metadata.databaseType} covers`)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}

function heading({ metadata, ipv4, ipv6, records, column }: Inspection, main: AddressMap): string {
  const built = new Date(metadata.buildEpoch * 1000).toISOString().slice(0, 10);
  const by = column === '' ? '' : `, by ${column}`;
  const counts = `${grouped(ipv4.networks)} IPv4 and ${grouped(ipv6.networks)} IPv6 networks, ${grouped(records)} ${records === 1 ? 'record' : 'records'}, built ${built}`;
  const [block, cell] = main.frame.family === 4 ? ['/8', '/16'] : ['/7', '/15'];
  const howTo = `Addresses run along a Hilbert curve, so neighbours stay together: a labelled square is a ${block}, a dot a ${cell}.`;
  return [
    text(
      MARGIN,
      42,
      `${cut(metadata.databaseType, 60)}: ${familyOf(main)} addresses${by}`,
      'font-size="22" font-weight="600"',
    ),
    text(MARGIN, 64, counts, 'fill="#55636f"'),
    text(MARGIN, 83, howTo, 'fill="#55636f"'),
  ].join('\n');
}

function legend({ groups, column, ipv4, ipv6 }: Inspection, main: AddressMap): string {
  const isIpv4 = main.frame.family === 4;
  const addressesOf = (group: GroupCount): number => (isIpv4 ? group.ipv4 : group.ipv6).addresses;
  const all = isIpv4 ? 2 ** 32 : Math.max(1, ipv6.addresses);
  const shown = groups.slice(0, COLOURS.length).filter((group) => addressesOf(group) > 0);
  const rest = groups.slice(COLOURS.length).reduce((sum, group) => sum + addressesOf(group), 0);
  const rows: LegendRow[] = shown.map((group, index) => ({
    colour: COLOURS[index]!,
    label: group.value ?? `(without ${column})`,
    figure: percent(addressesOf(group) / all),
  }));
  if (rest > 0) {
    const label = `${grouped(groups.length - COLOURS.length)} other values`;
    rows.push({ colour: OTHER_COLOUR, label, figure: percent(rest / all) });
  }
  if (isIpv4)
    rows.push({ colour: EMPTY_COLOUR, label: 'nothing known', figure: percent(1 - ipv4.addresses / all) });
  const title = isIpv4 ? 'Share of all IPv4 addresses' : 'Share of the IPv6 addresses known';
  const lower = 112 + ROW * (rows.length + 2);
  return [
    rowsOf(title, rows, 112),
    isIpv4 ? rowsOf('Part of a dot that is known', STRENGTHS.map(strengthRow), lower) : '',
  ].join('\n');
}

function strengthRow({ opacity, text: label }: (typeof STRENGTHS)[number]): LegendRow {
  return { colour: COLOURS[0]!, opacity, label };
}

function rowsOf(title: string, rows: readonly LegendRow[], y: number): string {
  const lines = rows.map(({ colour, opacity = 1, label, figure = '' }, index) => {
    const at = y + ROW * (index + 1);
    const right = `text-anchor="end" fill="#55636f"`;
    return [
      `<rect x="${LEGEND_X}" y="${at - 11}" width="14" height="14" rx="2" fill="${colour}" fill-opacity="${opacity}" stroke="#d5d8dc" stroke-width="0.5"/>`,
      text(LEGEND_X + 24, at, cut(label, MAX_LABEL)),
      figure === '' ? '' : text(LEGEND_X + LEGEND_WIDTH, at, figure, right),
    ].join('');
  });
  return [text(LEGEND_X, y, title, 'font-weight="600"'), ...lines].join('\n');
}

/** The second family, smaller, at the lower right. */
function sideMap(map: AddressMap, colourOf: (group: number) => string): string {
  const y = 96 + MAIN_SIZE - SIDE_SIZE;
  return [
    text(LEGEND_X, y - 12, `${familyOf(map)} (${map.frame.network}), a dot is a /15`, 'font-weight="600"'),
    drawMap(map, { x: LEGEND_X, y, size: SIDE_SIZE, colourOf }),
  ].join('\n');
}

function familyOf({ frame }: AddressMap): string {
  return frame.family === 4 ? 'IPv4' : 'IPv6';
}

function text(x: number, y: number, content: string, attributes = ''): string {
  return `<text x="${x}" y="${y}" ${attributes}>${escapeXml(content)}</text>`;
}

function cut(label: string, most: number): string {
  const characters = [...label];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : label;
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

function percent(share: number): string {
  if (share > 0 && share < 0.0001) return '< 0.01 %';
  if (share > 0.9999 && share < 1) return '> 99.99 %';
  return `${(100 * share).toFixed(2)} %`;
}

/** Text from a file as XML 1.0 may hold it. */
function escapeXml(content: string): string {
  return content
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
