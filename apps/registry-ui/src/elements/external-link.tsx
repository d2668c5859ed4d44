import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { referencesIn } from '../metadata/references.js';

interface ExternalLinkProps {
  readonly href: string;
  readonly children?: ReactNode;
}

/** A link out of the console, for http and https only; anything else is shown as text. */
export function ExternalLink({ href, children = href }: ExternalLinkProps) {
  if (!isWebAddress(href)) return <bdi className="foreign">{children}</bdi>;
  return (
    <Anchor
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className="foreign"
      underline="always"
      inherit
    >
      {children}
    </Anchor>
  );
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** Text whose RFC references are links. */
export function WithReferences({ children }: { readonly children: string }) {
  return referencesIn(children).map(({ text, href }, index) =>
    href === undefined ? text : <ExternalLink key={index} href={href} children={text} />,
  );
}
