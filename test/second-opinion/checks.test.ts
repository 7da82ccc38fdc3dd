import { expect } from '@jest/globals';
import { asInstallation, onBoth, statusOf } from './both.js';
import { PLACE } from './hub.js';

const create = 'POST /repos/{owner}/{repo}/check-runs';
const list = 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs';

onBoth('check runs', (check) => {
  check('one is made with its output, and is read by its id', async (hub) => {
    const app = await asInstallation(hub);
    const made = await app.request(create, {
      ...PLACE,
      name: 'made',
      head_sha: hub.pull.head,
      status: 'completed',
      conclusion: 'action_required',
      external_id: 'e1',
      output: { title: 'A title', summary: 'A summary' },
    });
    expect(made.status).toBe(201);
    const { data } = await app.request('GET /repos/{owner}/{repo}/check-runs/{check_run_id}', {
      ...PLACE,
      check_run_id: made.data.id,
    });
    expect(data).toMatchObject({
      id: made.data.id,
      name: 'made',
      head_sha: hub.pull.head,
      status: 'completed',
      conclusion: 'action_required',
      external_id: 'e1',
      output: { title: 'A title', summary: 'A summary' },
    });
  });
  check('the App that made it is named', async (hub) => {
    const app = await asInstallation(hub);
    const { data } = await app.request(create, { ...PLACE, name: 'named', head_sha: hub.main });
    expect(data.app).toMatchObject({ id: 777 });
  });
  check('they are listed by ref and by name', async (hub) => {
    const app = await asInstallation(hub);
    for (const name of ['one', 'two'])
      await app.request(create, { ...PLACE, name, head_sha: hub.pull.head, status: 'in_progress' });
    for (const ref of [hub.pull.head, 'feature']) {
      const { data } = await app.request(list, { ...PLACE, ref, check_name: 'two' });
      expect(data).toMatchObject({ total_count: 1, check_runs: [{ name: 'two', status: 'in_progress' }] });
    }
    const { data: none } = await app.request(list, { ...PLACE, ref: 'main', check_name: 'two' });
    expect(none).toEqual({ total_count: 0, check_runs: [] });
  });
  check('of one name the latest is listed, and with filter=all every one', async (hub) => {
    const app = await asInstallation(hub);
    const ids: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      const { data } = await app.request(create, { ...PLACE, name: 'again', head_sha: hub.main });
      ids.push(String(data.id));
    }
    const listed = async (filter?: 'all'): Promise<readonly string[]> => {
      const asked = {
        ...PLACE,
        ref: hub.main,
        check_name: 'again',
        ...(filter === undefined ? {} : { filter }),
      };
      return (await app.request(list, asked)).data.check_runs.map(({ id }) => String(id)).sort();
    };
    expect(await listed()).toEqual(ids.slice(-1));
    expect(await listed('all')).toEqual(ids);
  });
  check('one is changed: completed, with another output', async (hub) => {
    const app = await asInstallation(hub);
    const made = await app.request(create, { ...PLACE, name: 'changed', head_sha: hub.main });
    const { data } = await app.request('PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}', {
      ...PLACE,
      check_run_id: made.data.id,
      status: 'completed',
      conclusion: 'success',
      output: { title: 'Done', summary: 's' },
    });
    expect(data).toMatchObject({
      id: made.data.id,
      status: 'completed',
      conclusion: 'success',
      output: { title: 'Done' },
    });
    expect(data.completed_at).not.toBeNull();
  });
  check('changing one there is not -> 404', async (hub) => {
    const asked = (await asInstallation(hub)).request(
      'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}',
      {
        ...PLACE,
        check_run_id: 987_654,
        status: 'in_progress',
      },
    );
    expect(await statusOf(asked)).toBe(404);
  });
  check('without a name -> 422', async (hub) => {
    const app = await asInstallation(hub);
    expect(await statusOf(app.request(`POST /repos/acme/widgets/check-runs`, { head_sha: hub.main }))).toBe(
      422,
    );
  });
});
