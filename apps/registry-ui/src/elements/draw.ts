import { Fragment, isValidElement, type ReactElement, type ReactNode } from 'react';

type Props = Readonly<Record<string, unknown>>;

/** JSX without components. */
type Piece = string | ReactElement<Props, string>;

/** What was drawn for some JSX. */
export interface Drawn<Drawing extends Element | Text = Element | Text> {
  readonly node: Drawing;
  readonly piece: Piece;
  readonly children: readonly Drawn[];
}

const SVG = 'http://www.w3.org/2000/svg';

/** Props that have other names in HTML and SVG. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  className: 'class',
  dateTime: 'datetime',
  tabIndex: 'tabindex',
  strokeWidth: 'stroke-width',
  strokeLinecap: 'stroke-linecap',
  strokeLinejoin: 'stroke-linejoin',
};

/**
 * Draws JSX once, without React: for rows that come and go while a list scrolls, where React takes most of the time. Components
 * may only compute their content, without hooks, refs, event handlers and style objects.
 *
 * @param former what was drawn by the last call; it is changed into the new drawing
 */
export function draw<Drawing extends Element>(
  jsx: ReactElement<Props, string>,
  former?: Drawn<Drawing>,
): Drawn<Drawing> {
  return drawElement(jsx, former, false) as Drawn<Drawing>;
}

function drawElement(jsx: ReactElement<Props, string>, former: Drawn | undefined, inSvg: boolean): Drawn {
  const { type, props } = jsx;
  const isSvg = inSvg || type === 'svg';
  const isKept = former !== undefined && typeof former.piece !== 'string';
  const made = () => (isSvg ? document.createElementNS(SVG, type) : document.createElement(type));
  const node = isKept ? (former.node as Element) : made();
  setAttributes(node, props, isKept ? propsOf(former.piece) : {});
  const pieces = piecesOf(props['children'] as ReactNode, []);
  const formerChildren = isKept ? former.children : [];
  const children = pieces.map((piece, at) => drawChild(node, piece, formerChildren[at], isSvg));
  for (const { node: child } of formerChildren.slice(pieces.length)) child.remove();
  return { node, piece: jsx, children };
}

function drawChild(parent: Element, piece: Piece, former: Drawn | undefined, inSvg: boolean): Drawn {
  const kept = former && kindOf(former.piece) === kindOf(piece) ? former : undefined;
  // As it is, if it is the same object.
  if (kept?.piece === piece) return kept;
  const drawn = typeof piece === 'string' ? drawText(piece, kept) : drawElement(piece, kept, inSvg);
  if (!former) parent.append(drawn.node);
  else if (!kept) former.node.replaceWith(drawn.node);
  return drawn;
}

function drawText(piece: string, former: Drawn | undefined): Drawn {
  if (!former) return { node: document.createTextNode(piece), piece, children: [] };
  (former.node as Text).data = piece;
  return { ...former, piece };
}

function setAttributes(element: Element, props: Props, former: Props): void {
  for (const name in former) {
    if (props[name] === undefined) element.removeAttribute(ATTRIBUTES[name] ?? name);
  }
  for (const name in props) {
    const value = props[name];
    if (name === 'children' || value === undefined || value === former[name]) continue;
    if (typeof value === 'function' || typeof value === 'object')
      throw new TypeError(`${name} cannot be drawn`);
    element.setAttribute(ATTRIBUTES[name] ?? name, String(value));
  }
}

/** Adds the content, without its components, to `pieces`. */
function piecesOf(content: ReactNode, pieces: Piece[]): Piece[] {
  if (content === null || content === undefined || typeof content === 'boolean') return pieces;
  if (Array.isArray(content)) {
    for (const each of content as ReactNode[]) piecesOf(each, pieces);
  } else if (isValidElement<Props>(content)) {
    const { type, props } = content;
    if (typeof type === 'string') pieces.push(content as ReactElement<Props, string>);
    else if (type === Fragment) piecesOf(props['children'] as ReactNode, pieces);
    else piecesOf((type as (props: Props) => ReactNode)(props), pieces);
  } else {
    pieces.push(String(content as string | number));
  }
  return pieces;
}

function kindOf(piece: Piece): string {
  return typeof piece === 'string' ? '' : piece.type;
}

function propsOf(piece: Piece): Props {
  return typeof piece === 'string' ? {} : piece.props;
}
