"""LangChain's chat models with HTTP clients of their own, which can be closed, and with what OpenAI's stream drops: a refusal."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import anthropic
import openai
from langchain_anthropic import ChatAnthropic
from langchain_core.outputs import ChatGenerationChunk
from langchain_openai import ChatOpenAI


class ClosingChatAnthropic(ChatAnthropic):
    """Its client is not shared with other models of the process (langchain-anthropic 1.7 shares one a base URL)."""

    @cached_property
    def _async_client(self) -> anthropic.AsyncClient:
        return anthropic.AsyncClient(**self._client_params)

    async def aclose(self) -> None:
        """Close its connections."""
        await self._async_client.close()


class ClosingChatOpenAI(ChatOpenAI):
    """As above; keeps `delta.refusal` of streamed replies, as the same package does for whole ones (langchain-openai 1.7)."""

    async def aclose(self) -> None:
        """Close its connections."""
        await self.root_async_client.close()

    def _convert_chunk_to_generation_chunk(
        self, chunk: dict[str, Any], default_chunk_class: type, base_generation_info: dict[str, Any] | None
    ) -> ChatGenerationChunk | None:
        made = super()._convert_chunk_to_generation_chunk(chunk, default_chunk_class, base_generation_info)
        choices = chunk.get("choices") or [{}]
        refusal = (choices[0].get("delta") or {}).get("refusal")
        if made is not None and refusal:
            made.message.additional_kwargs["refusal"] = refusal
        return made


def own_client(timeout_s: float) -> Any:
    """An HTTP client for `ClosingChatOpenAI`."""
    return openai.DefaultAsyncHttpxClient(timeout=timeout_s)
