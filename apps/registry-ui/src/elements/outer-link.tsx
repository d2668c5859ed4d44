import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';

interface OuterLinkProps {
  readonly href: string;
  readonly children?: ReactNode;
}

/** A link out of the console, to http and https alone; anything else is shown as text. */
export function OuterLink({ href, children = href }: OuterLinkProps) {
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
