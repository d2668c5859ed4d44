import { useQuery } from '@tanstack/react-query';
import { featuresQuery } from '../api/client-queries.js';
import { optionalText } from '../texts/history.js';

/** @returns a function that returns the label of a field, or its name while labels are loading */
export function useFieldLabel(): (name: string) => string {
  const { data: features } = useQuery(featuresQuery);
  const labels = new Map(features?.fields.map(({ name, label }) => [name, label]));
  return (name) => labels.get(name) ?? optionalText(`history.field.${name}`) ?? name;
}
