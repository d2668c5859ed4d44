import { ValidateIf } from 'class-validator';

/**
 * In a body: the member may be missing, but not null, unlike with `IsOptional`. For restrictions: some programs write an empty
 * list as null, which would then mean no restriction at all.
 */
export const MayBeAbsent = () => ValidateIf((_body, value) => value !== undefined);
