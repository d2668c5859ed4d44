import { useDebouncedCallback } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';

const route = getRouteApi('/redirects');

/** Browsers refuse addresses that change with every key. */
const PAUSE_MS = 400;

/** The redirect URI that is tested: kept here as it is typed, and in the address once typing pauses. */
export function useRequested(): readonly [string, (requested: string) => void] {
  const { uri = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [requested, setRequested] = useState(uri);
  const remember = useDebouncedCallback((next: string) => {
    void navigate({
      search: ({ uri: _, ...others }) => (next === '' ? others : { ...others, uri: next }),
      replace: true,
    });
  }, PAUSE_MS);
  const change = (next: string) => {
    setRequested(next);
    remember(next);
  };
  return [requested, change];
}
