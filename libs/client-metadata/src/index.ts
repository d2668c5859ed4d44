export { pointerTo, type RuleViolation, type Violation } from '@svc/foundation';
export {
  allowedValues,
  DEFAULT_CAPABILITIES,
  extendCapabilities,
  isSupported,
  supportedFields,
  type Capabilities,
  type ExtensibleField,
  type CapabilityExtension,
} from './fields/capabilities.js';
export type { ClientDocument, SecretDocument } from './fields/client-document.js';
export type {
  ClientMetadata,
  CodeChallengeMethod,
  CurrentClient,
  RedirectUriValidationMethod,
} from './fields/client-metadata.js';
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
export { readCapabilities, takesSecrets } from './features/read-capabilities.js';
export {
  supportedFeatures,
  type SecretImport,
  type SupportedFeatures,
  type SupportedField,
} from './features/supported-features.js';
export type { ClientField, FieldFormat, FieldLimits } from './fields/client-field.js';
export { formatLabel, isLabelKey, isLabelValue, parseLabel } from './fields/labels.js';
export { liveRedirectUris, type TemporaryUri, withoutTemporaryUris } from './fields/temporary-uris.js';
export { CLIENT_FIELDS } from './fields/client-fields.js';
export { fieldNamed, metadataNames, splitName } from './fields/localized-fields.js';
export { keySetViolations, MAX_KEY_SET_LENGTH } from './fields/json-web-keys.js';
export {
  canVerify,
  isSigningAlgorithm,
  type JsonWebKey,
  type JsonWebKeySet,
  SIGNING_ALGORITHMS,
  type SigningAlgorithm,
  verifyingKeys,
} from './fields/signing-keys.js';
export { usesSecret } from './fields/authentication-methods.js';
export { SERVER_FIELDS, type ServerField } from './fields/server-fields.js';
export {
  validateClient,
  type ClientDraft,
  type ClientValidationOptions,
  type ValidationResult,
} from './validation/validate-client.js';
export { hasOwnFrontChannel } from './validation/key-rules.js';
export { IMPORTED_SECRET_FIELDS, secretExpiryViolation } from './validation/carried-fields.js';
export {
  validateImport,
  validatePatch,
  validateRegistration,
  validateUpdate,
  type ImportOptions,
  type ValidationOptions,
  type UpdateOptions,
} from './validation/validate-request.js';
export {
  ALL_CLIENTS,
  NO_CLIENTS,
  narrowSelector,
  severalValued,
  selects,
  selectsAll,
  selectsLabels,
  sortedSelector,
  type ClientSelector,
  type SelectableClient,
} from './selectors/client-selector.js';
export { foldText, hostAndPath, searchWords, SHORT_WORD, WORD_START } from './search/search-words.js';
export type { Requester } from './validation/field-permissions.js';
export {
  usesCookieAuthorization,
  WARNING_CODES,
  WARNING_EDITION,
  warningsOf,
} from './validation/client-warnings.js';
export { FIXABLE_WARNINGS, warningFix } from './validation/warning-fixes.js';
export {
  codesOf,
  errorCodeOf,
  errorDescriptionOf,
  quote,
  type RegistrationErrorCode,
} from './violations/violation.js';
export {
  MAX_SESSION_SECONDS,
  MIN_SESSION_SECONDS,
  parseSessionExpiration,
} from './fields/session-expiration.js';
export { validateRedirectUri, type RedirectUriContext } from './uri/validate-redirect-uri.js';
export { matchRedirectUri, type RedirectMatch } from './uri/match-redirect-uri.js';
export {
  DISABLED_CLIENT,
  type RequestedMetadata,
  type RequestParameters,
  type RequestValidation,
  type RequestViolation,
  validateAuthorizationRequest,
} from './requests/authorization-request.js';
export {
  type AuthorizationUrl,
  neededPart,
  parseAuthorizationUrl,
} from './requests/parse-authorization-url.js';
export { nearestRedirectUri, type NearestUri } from './uri/nearest-redirect-uri.js';
export {
  type AssertionUse,
  type ClientUse,
  MATCH_KINDS,
  type MatchKind,
  PKCE_KINDS,
  type PkceKind,
  type ReportableUse,
  type RequestUse,
  type RefusedSecretUse,
  type SecretUse,
} from './usage/client-use.js';
export {
  type Observation,
  type ObservedChange,
  type ObservedClient,
  type ObservedSecret,
  type ObservedUse,
} from './recommendations/observation.js';
export { isUseRecorded } from './recommendations/is-use-recorded.js';
export { recommend } from './recommendations/recommend.js';
export {
  type Evidence,
  RECOMMENDATION_KINDS,
  type Recommendation,
  type RecommendationKind,
  type RecommendedChange,
  type SeenValue,
} from './recommendations/recommendation.js';
export { reportedUse } from './usage/reported-use.js';
export { requestUse } from './usage/request-use.js';
export {
  MAX_ROWS_PER_BATCH,
  USAGE_INTERVAL_MS,
  type UsageBatch,
  UsageQueue,
  type UsageRow,
} from './usage/usage-queue.js';
