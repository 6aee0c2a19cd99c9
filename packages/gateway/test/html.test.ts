// No text becomes markup, neither between tags nor inside an attribute.
import assert from 'node:assert/strict'
import test from 'node:test'
import { html } from '../src/reference/html.ts'
import { inline } from '../src/reference/markdown.ts'

test('a text cannot end its element or its attribute', () => {
  const hostile = `"onclick='x' <b>&`
  assert.equal(
    html`<a title="${hostile}">${hostile}</a>`.toString(),
    '<a title="&quot;onclick=&#39;x&#39; &lt;b&gt;&amp;">&quot;onclick=&#39;x&#39; &lt;b&gt;&amp;</a>',
  )
})

test('the address of a link cannot add an attribute to it', () => {
  assert.equal(
    inline('[one](https://a.example/"onclick="x)').toString(),
    '<a href="https://a.example/&quot;onclick=&quot;x">one</a>',
  )
})

test('a link of a text leads to an address, never to a script', () => {
  for (const target of ['javascript:alert', 'data:text/html,x', '//a.example\\x', 'vbscript:x']) {
    const written = inline(`[one](${target})`).toString()
    assert.ok(!/href="(javascript|data|vbscript):/.test(written), written)
  }
})
