import type { ClientDocument } from '../api/client-documents.js';
import { draw } from '../elements/draw.js';
import { Icon, type IconName } from '../elements/icon.js';
import { timeOnClock } from '../elements/relative-time.js';
import { StatusBadge } from '../elements/status-badge.js';
import { toEntries } from '../metadata/map-entries.js';
import { Match } from '../search/marked.js';
import { piecesOf } from '../search/matches.js';
import { text } from '../texts/clients.js';
import type { CellContent, RowContext } from './client-column.js';
import classes from './client-table.module.css';

/** The text of an element. */
class CellText {
  private readonly plain = new Text();
  /** Cached: reading it from the element takes longer than changing it. */
  private shown = '';
  private isMarked = false;

  constructor(private readonly element: Element) {
    element.append(this.plain);
  }

  /** @param searched its words are marked */
  set(shown: string, searched = ''): void {
    const wasMarked = this.isMarked;
    this.isMarked = searched !== '';
    if (this.isMarked) this.element.replaceChildren(...marked(shown, searched));
    else if (wasMarked) this.element.replaceChildren(this.plain);
    if (this.isMarked || shown === this.shown) return;
    this.shown = shown;
    this.plain.data = shown;
  }
}

function marked(shown: string, searched: string): (string | HTMLElement)[] {
  return piecesOf(shown, searched).map(({ text: piece, matches }) =>
    matches ? draw(<Match>{piece}</Match>) : piece,
  );
}

/** The link that a click anywhere on the row follows, and whether the client is disabled. */
export function nameCell(): CellContent {
  const node = draw(<div />);
  const link = draw(<a className={`${classes.name} one-line`} dir="auto" tabIndex={-1} data-tip="" />);
  // Browsers drop a click if children of the pressed element itself are replaced.
  const shown = draw(<span />);
  const name = new CellText(shown);
  link.append(shown);
  node.append(link);
  let badge: HTMLElement | undefined;
  const setBadge = (next: HTMLElement | undefined) => {
    if (!badge && !next) return;
    badge?.remove();
    badge = next;
    // A flex box with a single part would take longer to lay out.
    node.className = badge ? (classes.named ?? '') : '';
    if (badge) node.append(badge);
  };
  const fill = (client: ClientDocument, { searched }: RowContext) => {
    link.setAttribute('href', `${import.meta.env.BASE_URL}clients/${encodeURIComponent(client.client_id)}`);
    link.toggleAttribute('data-disabled', !client.enabled);
    name.set(client.client_name, searched.words);
    setBadge(client.enabled ? undefined : stateBadge(client));
  };
  return { node, fill };
}

function stateBadge({ pending }: ClientDocument): HTMLElement {
  return draw(
    <StatusBadge kind="calm" icon="pause">
      {text(pending ? 'state.pending' : 'state.disabled')}
    </StatusBadge>,
  );
}

interface CopyState {
  readonly icon: IconName;
  readonly name: string;
}

const COPY: CopyState = { icon: 'copy', name: text('copy.do', { what: text('clients.column.id') }) };

const COPIED: CopyState = { icon: 'check', name: text('copy.done') };

/** The client ID, and a button that copies it. */
export function idCell(): CellContent {
  const node = draw(<span className={classes.copied} />);
  const shown = draw(<span className="mono one-line" data-tip="" />);
  const id = new CellText(shown);
  const button = draw(<button type="button" className={classes.copy} tabIndex={-1} />);
  node.append(shown, button);
  let state = COPY;
  let hasIcon = false;
  // The button stays: it may have the focus.
  const showState = (next: CopyState) => {
    state = next;
    button.setAttribute('aria-label', next.name);
    button.setAttribute('data-tip', next.name);
    if (hasIcon) button.replaceChildren(draw(<Icon name={next.icon} size={14} />));
  };
  showState(COPY);
  const fill = ({ client_id: clientId }: ClientDocument, { searched, copiedId }: RowContext) => {
    id.set(clientId, searched.words);
    const next = clientId === copiedId ? COPIED : COPY;
    if (next !== state) showState(next);
  };
  const pointAt = () => {
    if (hasIcon) return;
    hasIcon = true;
    showState(state);
  };
  return { node, fill, pointAt };
}

/** The most common scheme is omitted; any other is shown. */
const COMMONEST_SCHEME = /^https:\/\//;

/** Scheme and host. */
const ORIGIN = /^(?:[^/?#]*:\/\/)?[^/?#]*/;

/** The end of a path stays visible: it distinguishes URIs of one host. */
const END = 16;

/** A URI and the number of others, on one line. It is shortened in the middle: the host and the end of the path say most. */
export function redirectUrisCell(): CellContent {
  const node = draw(<span className={classes.copied} />);
  const shortened = draw(<bdi className={classes.uri} />);
  const [startPart, endPart, others] = [
    draw(<span className="one-line" />),
    draw(<span />),
    draw(<span className={classes.more} />),
  ];
  const [start, end, more] = [new CellText(startPart), new CellText(endPart), new CellText(others)];
  shortened.append(startPart, endPart);
  node.append(shortened, others);
  const fill = ({ redirect_uris: uris }: ClientDocument, { searched: { words, host } }: RowContext) => {
    const searched = `${host} ${words}`.trim();
    const uri = firstMatching(uris, searched);
    const shown = uri.replace(COMMONEST_SCHEME, '');
    const origin = ORIGIN.exec(shown)?.[0].length ?? 0;
    const cut = Math.max(shown.length - END, origin);
    shortened.setAttribute('data-tip', uri);
    start.set(shown.slice(0, cut), searched);
    end.set(shown.slice(cut), searched);
    more.set(uris.length > 1 ? `+${uris.length - 1}` : '');
  };
  return { node, fill };
}

/** The first URI, unless only another one shows why the client was found. */
function firstMatching(uris: readonly string[], searched: string): string {
  const [first = ''] = uris;
  if (searched === '') return first;
  return uris.find((uri) => piecesOf(uri, searched).some(({ matches }) => matches)) ?? first;
}

const PUBLIC = text('clients.public');

const CONFIDENTIAL = text('clients.confidential');

export function authenticationCell(): CellContent {
  const node = draw(<span />);
  const kind = new CellText(node);
  const fill = ({ token_endpoint_auth_method: method }: ClientDocument) => {
    const isPublic = method === 'none';
    node.classList.toggle(classes.soft ?? '', isPublic);
    kind.set(isPublic ? PUBLIC : CONFIDENTIAL);
  };
  return { node, fill };
}

/** By number of warnings. */
const warningLabels: string[] = [];

/** Hidden where there are none. */
export function warningsCell(): CellContent {
  const node = draw(<span className={classes.warning} />);
  const icon = draw<SVGSVGElement>(
    <Icon name="warning" size={14} label={text('clients.warnings', { count: 0 })} />,
  );
  const shownCount = draw(<span aria-hidden />);
  const number = new CellText(shownCount);
  node.append(icon, shownCount);
  let shown: number | undefined;
  const fill = ({ warnings: { length: count } }: ClientDocument) => {
    if (count === shown) return;
    shown = count;
    node.hidden = count === 0;
    const label = (warningLabels[count] ??= text('clients.warnings', { count }));
    node.setAttribute('data-tip', label);
    icon.setAttribute('aria-label', label);
    number.set(String(count));
  };
  return { node, fill };
}

/** When a secret was last used. RFC 3339 in UTC sorts lexically. */
export function lastUsedCell(): CellContent {
  const latest = ({ client_secrets }: ClientDocument) =>
    client_secrets
      .flatMap(({ last_used_at: at }) => at ?? [])
      .toSorted()
      .at(-1);
  const time = timeCell((client) => latest(client) ?? '');
  const never = draw(<span className={classes.soft}>{text('tokens.never')}</span>);
  const node = draw(<span />);
  const fill = (client: ClientDocument, context: RowContext) => {
    const isUsed = latest(client) !== undefined;
    if (isUsed) time.fill(client, context);
    node.replaceChildren(isUsed ? time.node : never);
  };
  return { node, fill };
}

/** @param timeOf a time as in RFC 3339 */
export function timeCell(timeOf: (client: ClientDocument) => string): CellContent {
  const node = draw(<time className={`numeric ${classes.soft}`} />);
  const shown = new CellText(node);
  const fill = (client: ClientDocument, { clock }: RowContext) => {
    const at = timeOf(client);
    node.setAttribute('datetime', at);
    shown.set(timeOnClock(at, clock));
  };
  return { node, fill };
}

export function fieldCell(name: string): CellContent {
  const node = draw(<bdi className={`one-line ${classes.fieldValue}`} data-tip="" />);
  const value = new CellText(node);
  const fill = (client: ClientDocument) => {
    value.set(written((client as unknown as Record<string, unknown>)[name]));
  };
  return { node, fill };
}

function written(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return text(value ? 'field.yes' : 'field.no');
  const values = Array.isArray(value) ? value : toEntries(value);
  return values ? values.join(', ') : String(value);
}
