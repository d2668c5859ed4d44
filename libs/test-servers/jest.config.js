import preset from '../../jest.preset.js';

export default { ...preset, displayName: 'test-servers' };
