import { piecesOf } from './matches.js';
import classes from './search.module.css';

interface MarkedProps {
  readonly text: string;
  /** What was typed; its words are marked. */
  readonly searched: string;
}

/** A text with the words of a search marked. */
export function Marked({ text, searched }: MarkedProps) {
  // A shortcut for the usual case: a long list has many texts.
  if (searched === '') return text;
  return piecesOf(text, searched).map(({ text: piece, matches }, at) =>
    matches ? <Match key={at}>{piece}</Match> : piece,
  );
}

export function Match({ children }: { readonly children: string }) {
  return <mark className={classes.match}>{children}</mark>;
}
