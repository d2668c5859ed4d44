export {
  allowedValues,
  DEFAULT_CAPABILITIES,
  widenCapabilities,
  type Capabilities,
  type WidenableField,
  type Widening,
} from './capabilities.js';
export type { ClientDocument, SecretDocument } from './client-document.js';
export type {
  ClientMetadata,
  CodeChallengeMethod,
  CurrentClient,
  RedirectUriValidationMethod,
} from './client-metadata.js';
export { clientTemplates, type ClientTemplate } from './features/client-templates.js';
export { DEVIATIONS, type Deviation } from './features/deviations.js';
export {
  clientSchema,
  fieldSchema,
  patchSchema,
  registrationSchema,
  updateSchema,
  type JsonSchema,
} from './features/json-schema.js';
export { readCapabilities } from './features/read-capabilities.js';
export {
  supportedFeatures,
  type SupportedFeatures,
  type SupportedField,
} from './features/supported-features.js';
export type { ClientField, FieldFormat, FieldLimits } from './fields/client-field.js';
export { CLIENT_FIELDS } from './fields/client-fields.js';
export { SERVER_FIELDS, type ServerField } from './fields/server-fields.js';
export { judgeClient, type Candidate, type Judgement } from './judge/judge-client.js';
export {
  judgeImport,
  judgePatch,
  judgeRegistration,
  judgeUpdate,
  type ImportOptions,
  type JudgeOptions,
  type UpdateOptions,
} from './judge/judge-body.js';
export type { Audience } from './judge/judge-member.js';
export {
  usesCookieAuthorization,
  WARNING_CODES,
  WARNING_EDITION,
  warningsOf,
} from './judge/client-warnings.js';
export {
  codesOf,
  errorCodeOf,
  errorDescriptionOf,
  pointerTo,
  quote,
  type Fault,
  type Problem,
  type RegistrationErrorCode,
} from './problem.js';
export { MAX_SESSION_SECONDS, MIN_SESSION_SECONDS, parseSessionExpiration } from './session-expiration.js';
export { judgeRedirectUri, type RedirectUriContext } from './uri/judge-redirect-uri.js';
export { matchRedirectUri, type RedirectMatch } from './uri/match-redirect-uri.js';
