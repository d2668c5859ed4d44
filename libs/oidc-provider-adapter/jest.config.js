import preset from '../../jest.preset.js';

export default {
  ...preset,
  displayName: 'oidc-provider-adapter',
  setupFiles: ['<rootDir>/test/quiet-about-runtime.setup.mjs'],
};
