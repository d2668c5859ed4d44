import { formatIpv6 } from '../address/format-address.js';
import type { AddressMap, MapFrame } from './address-map.js';

/** Opacities by the share of a cell covered, strongest first. */
export const STRENGTHS: readonly {
  readonly least: number;
  readonly opacity: number;
  readonly text: string;
}[] = [
  { least: 0.75, opacity: 1, text: 'at least three quarters' },
  { least: 0.25, opacity: 0.68, text: 'a quarter or more' },
  { least: 0, opacity: 0.4, text: 'less' },
];

/** A map's position and colours, in the picture's units. */
export interface MapPlace {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** A group's colour, by its index in the inspection. */
  readonly colourOf: (group: number) => string;
}

/** Draws a map as SVG elements: its cells, a grid of the labelled blocks, and their labels. */
export function drawMap(map: AddressMap, { x, y, size, colourOf }: MapPlace): string {
  const side = 2 ** (map.frame.cellBits / 2);
  const unit = size / side;
  const cells = cellPaths(map, side, colourOf).map(
    ([fill, opacity, path]) => `<path fill="${fill}" fill-opacity="${opacity}" d="${path}"/>`,
  );
  return [
    `<g transform="translate(${x} ${y})">`,
    `<rect width="${size}" height="${size}" fill="#f6f5f1"/>`,
    `<g transform="scale(${unit})" shape-rendering="crispEdges">${cells.join('\n')}</g>`,
    gridOf(map.frame, size),
    labelsOf(map.frame, size),
    '</g>',
  ].join('\n');
}

/** One path per colour and opacity, with a rectangle for each horizontal run of cells. */
function cellPaths(
  map: AddressMap,
  side: number,
  colourOf: (group: number) => string,
): [fill: string, opacity: number, path: string][] {
  const rows = styledRows(map, side, colourOf);
  const paths = new Map<string, string[]>();
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < side;) {
      const style = row[x]!;
      let end = x + 1;
      while (end < side && row[end] === style) end++;
      if (style !== '') {
        const path = paths.get(style) ?? [];
        path.push(`M${x} ${y}h${end - x}v1h${x - end}z`);
        paths.set(style, path);
      }
      x = end;
    }
  }
  return [...paths].map(([style, parts]) => {
    const [fill = '', opacity] = style.split(' ');
    return [fill, Number(opacity), parts.join('')];
  });
}

/** Each cell's colour and opacity; empty for cells without data. */
function styledRows(map: AddressMap, side: number, colourOf: (group: number) => string): string[][] {
  const rows = Array.from({ length: side }, () => new Array<string>(side).fill(''));
  for (const [cell, group] of map.group.entries()) {
    if (group < 0) continue;
    const [x, y] = hilbertPoint(cell, side);
    rows[y]![x] = `${colourOf(group)} ${opacityOf(map, cell)}`;
  }
  return rows;
}

/** IPv6 is so sparse that no cell is ever full, so any coverage gets full opacity. */
function opacityOf({ frame, covered }: AddressMap, cell: number): number {
  if (frame.family === 6) return 1;
  return STRENGTHS.find(({ least }) => covered[cell]! >= least)!.opacity;
}

function gridOf({ labelBits }: MapFrame, size: number): string {
  const blocks = 2 ** (labelBits / 2);
  const step = size / blocks;
  const lines = Array.from({ length: blocks + 1 }, (_, i) => `M${i * step} 0v${size}M0 ${i * step}h${size}`);
  return `<path d="${lines.join('')}" stroke="#ffffff" stroke-width="1" stroke-opacity="0.9" fill="none"/>`;
}

function labelsOf(frame: MapFrame, size: number): string {
  const blocks = 2 ** (frame.labelBits / 2);
  const step = size / blocks;
  const marks = Array.from({ length: 2 ** frame.labelBits }, (_, block) => {
    const [column, row] = hilbertPoint(block, blocks);
    const [x, y] = [(column + 0.5) * step, (row + 0.5) * step];
    const label = labelOf(frame, block);
    const width = 8 + 6.4 * label.length;
    const plate = `<rect x="${x - width / 2}" y="${y - 8}" width="${width}" height="16" rx="4"/>`;
    return [plate, `<text x="${x}" y="${y}">${label}</text>`] as const;
  });
  const plates = marks.map(([plate]) => plate).join('');
  const texts = marks.map(([, text]) => text).join('');
  return `<g fill="#ffffff" fill-opacity="0.78">${plates}</g><g font-size="11" text-anchor="middle" dominant-baseline="central">${texts}</g>`;
}

/** The number of a /8, or the start of an IPv6 block. */
function labelOf({ family, length, prefix, labelBits }: MapFrame, block: number): string {
  const bits = length + labelBits;
  const word = ((prefix * 2 ** labelBits + block) * 2 ** (32 - bits)) >>> 0;
  return family === 4 ? String(word >>> 24) : formatIpv6(Uint32Array.of(word, 0, 0, 0), 0);
}

/**
 * The position of a step along the Hilbert curve. Numbers with the same leading bits are in the same square, so
 * networks become squares or half squares.
 *
 * @param index step from 0 to `side²` − 1
 * @param side of the square, a power of two
 * @see https://en.wikipedia.org/wiki/Hilbert_curve
 */
export function hilbertPoint(index: number, side: number): readonly [x: number, y: number] {
  let x = 0;
  let y = 0;
  let rest = index;
  for (let size = 1; size < side; size *= 2, rest = Math.floor(rest / 4)) {
    const right = Math.floor(rest / 2) & 1;
    const down = (rest ^ right) & 1;
    if (down === 0) {
      if (right === 1) [x, y] = [size - 1 - x, size - 1 - y];
      [x, y] = [y, x];
    }
    x += size * right;
    y += size * down;
  }
  return [x, y];
}
