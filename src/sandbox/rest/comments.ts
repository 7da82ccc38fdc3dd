import { isListed, unlistedYet } from '../lag.js';
import { textOf } from '../records.js';
import { userJson } from '../shapes/account.js';
import { commentJson } from '../shapes/issue.js';
import { nodeId } from '../shapes/urls.js';
import { iso } from '../state.js';
import { type Call, created, failed, invalid, noContent, notFound, ok, page, type Routes } from './answer.js';
import { issueNumberOf, threadJson, tooLong } from './thread.js';

const commentAt = (call: Call) => call.state.comments.get(Number(call.params['comment_id']));

export const comments: Routes = {
  'GET /repos/{owner}/{repo}/issues/{issue_number}/comments': (call) => {
    if (threadJson(call.state, issueNumberOf(call)) === undefined) return notFound();
    const on = call.state.comments.of(issueNumberOf(call)).filter((comment) => isListed(call.state, comment));
    return page(
      call,
      on.map((comment) => commentJson(call.state, comment)),
    );
  },
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments': (call) => {
    const { state, body } = call;
    if (threadJson(state, issueNumberOf(call)) === undefined) return notFound();
    const text = textOf(body['body']);
    if (text === undefined || text === '')
      return invalid('IssueComment', 'body', 'body cannot be blank', 'missing_field');
    const long = tooLong('IssueComment', text);
    if (long !== undefined) return long;
    const app = state.accounts.ourApp;
    const at = state.clock.now();
    const comment = {
      id: state.nextId('comment'),
      on: issueNumberOf(call),
      by: app,
      app: state.appId,
      body: text,
      createdAt: at,
      updatedAt: at,
      overlay: {},
    };
    state.comments.add(unlistedYet(state, comment));
    call.wrote('body', text);
    return created(commentJson(state, comment));
  },
  'GET /repos/{owner}/{repo}/issues/comments/{comment_id}': (call) => {
    const comment = commentAt(call);
    return comment === undefined ? notFound() : ok(commentJson(call.state, comment));
  },
  'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}': (call) => {
    const comment = commentAt(call);
    if (comment === undefined) return notFound();
    const text = textOf(call.body['body']);
    if (text === undefined || text === '')
      return invalid('IssueComment', 'body', 'body cannot be blank', 'missing_field');
    const long = tooLong('IssueComment', text);
    if (long !== undefined) return long;
    if (comment.by !== call.state.accounts.ourApp)
      return failed(403, 'Resource not accessible by integration');
    comment.body = text;
    comment.updatedAt = call.state.clock.now();
    call.wrote('body', text);
    return ok(commentJson(call.state, comment));
  },
  'DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}': (call) => {
    const comment = commentAt(call);
    if (comment === undefined) return notFound();
    call.state.comments.remove(comment);
    return noContent();
  },
  'POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions': (call) => {
    const { state } = call;
    const comment = commentAt(call);
    const content = textOf(call.body['content']) ?? '';
    if (comment === undefined) return notFound();
    const app = state.accounts.ourApp;
    const known = state.reactions.find((one) => one.comment === comment.id && one.content === content);
    const reaction = known ?? {
      id: state.nextId('reaction'),
      comment: comment.id,
      content,
      at: state.clock.now(),
    };
    if (known === undefined) state.reactions.push(reaction);
    const json = {
      id: reaction.id,
      node_id: nodeId('REA', reaction.id),
      user: userJson(app),
      content,
      created_at: iso(reaction.at),
    };
    return known === undefined ? created(json) : ok(json);
  },
};
