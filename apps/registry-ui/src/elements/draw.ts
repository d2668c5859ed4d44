import { Fragment, isValidElement, type ReactElement, type ReactNode } from 'react';

type Props = Readonly<Record<string, unknown>>;

const SVG = 'http://www.w3.org/2000/svg';

/** Props that have other names in HTML and SVG. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  className: 'class',
  tabIndex: 'tabindex',
  strokeWidth: 'stroke-width',
  strokeLinecap: 'stroke-linecap',
  strokeLinejoin: 'stroke-linejoin',
};

/**
 * Draws JSX once, without React. Components may only compute their content, without hooks, refs, event handlers and style objects.
 *
 * @param jsx of one element
 * @throws {TypeError} for props of other kinds
 */
export function draw<Drawn extends Element = HTMLElement>(jsx: ReactElement): Drawn {
  return nodesOf(jsx, false)[0] as unknown as Drawn;
}

function nodesOf(content: ReactNode, inSvg: boolean): Node[] {
  if (content === null || content === undefined || typeof content === 'boolean') return [];
  if (Array.isArray(content)) return (content as ReactNode[]).flatMap((each) => nodesOf(each, inSvg));
  if (!isValidElement<Props>(content)) return [document.createTextNode(String(content as string | number))];
  const { type, props } = content;
  if (typeof type === 'string') return [newElement(type, props, inSvg || type === 'svg')];
  if (type === Fragment) return nodesOf(props['children'] as ReactNode, inSvg);
  return nodesOf((type as (props: Props) => ReactNode)(props), inSvg);
}

function newElement(type: string, props: Props, isSvg: boolean): Element {
  const element = isSvg ? document.createElementNS(SVG, type) : document.createElement(type);
  for (const [name, value] of Object.entries(props)) {
    if (name === 'children' || value === undefined) continue;
    if (typeof value === 'function' || typeof value === 'object')
      throw new TypeError(`${name} cannot be drawn`);
    element.setAttribute(ATTRIBUTES[name] ?? name, String(value));
  }
  element.append(...nodesOf(props['children'] as ReactNode, isSvg));
  return element;
}
