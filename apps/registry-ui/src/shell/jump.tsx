import { Spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { Icon } from '../elements/icon.js';
import { text } from '../texts/text.js';
import { PLACES } from './places.js';

/** Ctrl-K: type a few letters, go to any place. */
export function Jump() {
  const navigate = useNavigate();
  const actions = PLACES.flatMap(({ places }) =>
    places.map(({ to, name, icon }) => ({
      id: to,
      label: text(name),
      leftSection: <Icon name={icon} />,
      onClick: () => void navigate({ to }),
    })),
  );
  return (
    <Spotlight
      actions={actions}
      shortcut="mod + K"
      centered={false}
      overlayProps={{ blur: 0, backgroundOpacity: 0.45 }}
      nothingFound={text('jump.nothing')}
      searchProps={{
        leftSection: <Icon name="search" />,
        placeholder: text('jump.placeholder'),
        'aria-label': text('jump.placeholder'),
      }}
    />
  );
}
