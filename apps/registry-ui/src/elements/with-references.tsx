import { referencesIn } from '../metadata/references.js';
import { OuterLink } from './outer-link.js';

/** A text in which the RFCs that it names can be opened. */
export function WithReferences({ children }: { readonly children: string }) {
  return referencesIn(children).map(({ text, href }, index) =>
    href === undefined ? text : <OuterLink key={index} href={href} children={text} />,
  );
}
