import { getRouteApi } from '@tanstack/react-router';
import { useTyped } from '../navigation/use-typed.js';

const route = getRouteApi('/redirects');

/** Browsers refuse addresses that change with every key. */
const PAUSE_MS = 400;

/** The redirect URI that is tested: kept here as it is typed, and in the address once typing pauses. */
export function useRequested(): readonly [string, (requested: string) => void] {
  const { uri = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { typed, change } = useTyped({
    value: uri,
    onSettled: (next) => {
      void navigate({
        search: ({ uri: _, ...others }) => (next === '' ? others : { ...others, uri: next }),
        replace: true,
      });
    },
    pauseMs: PAUSE_MS,
  });
  return [typed, change];
}
