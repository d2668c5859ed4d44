import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ClientDocument } from '@svc/client-metadata';
import { Notice } from '../elements/notice.js';
import { RotateSecret } from '../secrets/rotate-secret.js';
import { text } from '../texts/text.js';

/** The answer that held the secret was lost on its way: nobody can show it again, but a new one can be made. */
export function MissedSecret({ client }: { readonly client: ClientDocument }) {
  const [rotating, setRotating] = useState(false);
  return (
    <>
      <Notice kind="warn" role="status" title={text('registered.missed')}>
        <p>{text('registered.missed.how')}</p>
        <Button size="xs" variant="default" mt="sm" onClick={() => setRotating(true)}>
          {text('secret.rotate')}
        </Button>
      </Notice>
      <RotateSecret client={client} opened={rotating} onClose={() => setRotating(false)} />
    </>
  );
}
