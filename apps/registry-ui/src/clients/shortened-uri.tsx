import classes from './client-table.module.css';

/** What nearly all addresses begin with says nothing; any other scheme stays in sight. */
const COMMONEST_SCHEME = /^https:\/\//;

/** Characters at the end that stay in sight: the end of the path tells one address of a host from another. */
const END = 12;

/** An address in one line, without its middle where the room is short: its host and the end of its path tell most. */
export function ShortenedUri({ uri }: { readonly uri: string }) {
  const shown = uri.replace(COMMONEST_SCHEME, '');
  const cut = Math.max(shown.length - END, 0);
  return (
    <bdi className={classes.uri} title={uri}>
      <span className="one-line">{shown.slice(0, cut)}</span>
      <span>{shown.slice(cut)}</span>
    </bdi>
  );
}
