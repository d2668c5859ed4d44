import { findings } from '../testing/declaration-findings.js';

const sealed = ['*password*', 'api.key'];

test('unencrypted ones are errors, which never show them', async () => {
  const text = [
    'db:\n  Password: hunter2',
    'passwords: [{name: one, value: hunter3}, !encpwd "eyJ.x"]',
    'api.key: hunter4',
    'apixkey: public',
    'password_text: \'!encpwd "eyJ.x"\'',
    'password_bare: "!encpwd eyJ.x"',
    `password_json: '!encpwd {"recipients":[]}'`,
    'password_none:',
    'old_password: ""',
    'marked_password: "!encpwd hunter5"',
  ].join('\n');
  const found = await findings({ 'a.yaml': text }, { sealed });
  expect(found).toEqual([
    'a.yaml:2:13: error: has an unencrypted value at "Password": encrypt it (svccmd encpwd)',
    'a.yaml:3:20: error: has an unencrypted value at "passwords": encrypt it (svccmd encpwd)',
    'a.yaml:3:32: error: has an unencrypted value at "passwords": encrypt it (svccmd encpwd)',
    'a.yaml:4:10: error: has an unencrypted value at "api.key": encrypt it (svccmd encpwd)',
    'a.yaml:11:18: error: has an unencrypted value at "marked_password": encrypt it (svccmd encpwd)',
  ]);
  expect(found.join()).not.toContain('hunter');
});

test('an alias of an unencrypted value is one, too, wherever the value stands', async () => {
  const text = [
    'x: &plain hunter2',
    'password: *plain',
    'y: &map {user: me, all: [*plain]}',
    'passwords: [*map]',
    'z: &sealed !encpwd "eyJ.x"',
    'other_password: *sealed',
    'key: &name password',
    '*name : hunter3',
    'password_loop: &loop [*loop, *sealed]',
  ].join('\n');
  expect(await findings({ 'a.yaml': text }, { sealed })).toEqual([
    'a.yaml:2:11: error: has an unencrypted value at "password": encrypt it (svccmd encpwd)',
    'a.yaml:4:13: error: has an unencrypted value at "passwords": encrypt it (svccmd encpwd)',
    'a.yaml:8:9: error: has an unencrypted value at "password": encrypt it (svccmd encpwd)',
  ]);
});
