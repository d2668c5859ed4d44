import { Button, Modal, Stack, Text } from '@mantine/core';
import { signOut, useSession } from '../api/session.js';
import { settings } from '../api/settings.js';
import { text } from '../texts/text.js';
import { IssuerButton } from './issuer-button.js';
import { signInBeside } from './issuer/sign-in-at-issuer.js';
import { TokenForm } from './token-form.js';

/** Above everything else: what was typed on the screen below is kept until somebody signs in again. */
const ABOVE_ALL = 1000;

/** Asks for a token again when the server no longer takes the one there is. */
export function SessionEnded() {
  const session = useSession();
  return (
    <Modal
      opened={session?.ended ?? false}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={text('sessionEnded.title')}
      zIndex={ABOVE_ALL}
    >
      <Stack gap="md">
        <Text>{text('sessionEnded.lead')}</Text>
        <IssuerButton onChoose={signInBeside} />
        <TokenForm primary={settings.oidc === undefined} />
        <Button variant="subtle" color="gray" onClick={signOut}>
          {text('sessionEnded.leave')}
        </Button>
      </Stack>
    </Modal>
  );
}
