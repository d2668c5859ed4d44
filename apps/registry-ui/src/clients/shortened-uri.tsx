import classes from './client-table.module.css';

/** What nearly all addresses begin with says nothing; any other scheme stays in sight. */
const COMMONEST_SCHEME = /^https:\/\//;

/** Scheme and host. */
const ORIGIN = /^(?:[^/?#]*:\/\/)?[^/?#]*/;

/** So many characters at the end of a path stay in sight: they tell one address of a host from another. */
const END = 16;

/** An address in one line, without its middle where the room is short: its host and the end of its path tell most. */
export function ShortenedUri({ uri }: { readonly uri: string }) {
  const shown = uri.replace(COMMONEST_SCHEME, '');
  const origin = ORIGIN.exec(shown)?.[0].length ?? 0;
  const cut = Math.max(shown.length - END, origin);
  return (
    <bdi className={classes.uri} title={uri}>
      <span className="one-line">{shown.slice(0, cut)}</span>
      <span>{shown.slice(cut)}</span>
    </bdi>
  );
}
