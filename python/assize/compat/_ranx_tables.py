"""``Qrels`` and ``Run`` of ranx: read from dicts, frames and files, changed, and written."""

from __future__ import annotations

import gzip
import importlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from ..errors import BadInput

#: What the ending of a file means where nobody says it.
_KINDS = {"txt": "trec", "parq": "parquet"}


class _Nested:
    """``{query: {document: number}}`` with ranx's ways in and out."""

    #: The attribute that ranx keeps the dict in.
    _field: ClassVar[str]
    #: How many words a line of TREC has, and which of them is the number.
    _words: ClassVar[tuple[int, int]]
    _number: ClassVar[type]

    def __init__(
        self, nested: Mapping[str, Mapping[str, float]] | None = None, name: str | None = None
    ) -> None:
        taken = {query: dict(documents) for query, documents in (nested or {}).items()}
        setattr(self, self._field, taken)
        self.name = name

    def _nested(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = getattr(self, self._field)
        return found

    @property
    def size(self) -> int:
        """How many queries there are."""
        return len(self._nested())

    def __len__(self) -> int:
        return len(self._nested())

    def __getitem__(self, query: str) -> dict[str, Any]:
        return dict(self._nested()[query])

    def __iter__(self) -> Iterator[str]:
        return iter(self._nested())

    def keys(self) -> list[str]:
        """The queries."""
        return list(self._nested())

    def get_query_ids(self) -> list[str]:
        """The queries."""
        return self.keys()

    def get_doc_ids_and_scores(self) -> list[dict[str, Any]]:
        """The documents of each query with their numbers."""
        return list(self.to_dict().values())

    def add_score(self, q_id: str, doc_id: str, score: float) -> None:
        """Adds a document to a query, or changes its number."""
        self._nested().setdefault(q_id, {})[doc_id] = self._number(score)

    def add(self, q_id: str, doc_ids: Sequence[str], scores: Sequence[float]) -> None:
        """Adds a query with its documents."""
        self.add_multi([q_id], [doc_ids], [scores])

    def add_multi(
        self, q_ids: Sequence[str], doc_ids: Sequence[Sequence[str]], scores: Sequence[Sequence[float]]
    ) -> None:
        """Adds several queries with their documents."""
        for query, documents, numbers in zip(q_ids, doc_ids, scores):
            if len(documents) != len(numbers):
                raise BadInput(f"{query}: {len(documents)} documents and {len(numbers)} scores")
            self._nested()[query] = {
                document: self._number(number) for document, number in zip(documents, numbers)
            }

    def sort(self) -> None:
        """Queries by their names, documents by their numbers, the highest first."""
        ordered = {
            query: dict(sorted(documents.items(), key=lambda entry: -entry[1]))
            for query, documents in sorted(self._nested().items())
        }
        setattr(self, self._field, ordered)

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """``{query: {document: number}}``."""
        return {query: dict(documents) for query, documents in self._nested().items()}

    def to_dataframe(self) -> Any:
        """A frame of pandas with `q_id`, `doc_id` and `score`."""
        pandas = importlib.import_module("pandas")
        return pandas.DataFrame(self._rows(), columns=["q_id", "doc_id", "score"])

    def save(self, path: str, kind: str | None = None) -> None:
        """Writes JSON, TREC or Parquet, by the ending of the path or by `kind`."""
        kind = _kind(path, kind)
        if kind == "parquet":
            self.to_dataframe().to_parquet(path, index=False)
        elif kind == "json":
            with open(path, "w", encoding="utf-8") as file:
                json.dump(self.to_dict(), file, ensure_ascii=False, indent=2)
        elif kind == "trec":
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(self._lines()))
        else:
            raise BadInput(f"kind: `{kind}` is not written here; take json, trec or parquet")

    def _rows(self) -> list[tuple[str, str, Any]]:
        return [
            (query, document, number)
            for query, documents in self._nested().items()
            for document, number in documents.items()
        ]

    def _lines(self) -> list[str]:
        raise NotImplementedError

    @classmethod
    def _read(cls, path: str, kind: str | None) -> tuple[dict[str, dict[str, Any]], str | None]:
        """What a file holds, and the name that its last column gives."""
        kind = _kind(path, kind)
        if kind == "json":
            with open(path, encoding="utf-8") as file:
                return json.load(file), None
        if kind not in ("trec", "gz"):
            raise BadInput(f"kind: `{kind}` is not read here; take json, trec, gz or from_parquet")
        nested: dict[str, dict[str, Any]] = {}
        name = None
        count, place = cls._words
        with gzip.open(path, "rt", encoding="utf-8") if kind == "gz" else open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                words = line.split()
                if words and len(words) != count:
                    raise BadInput(f"{path}:{number}: {len(words)} fields, {count} are expected")
                if words:
                    nested.setdefault(words[0], {})[words[2]] = cls._number(words[place])
                    name = name or (words[5] if count > 5 else None)
        return nested, name

    @classmethod
    def _of_frame(cls, frame: Any, columns: tuple[str, str, str]) -> dict[str, dict[str, Any]]:
        for column in columns:
            if column not in frame.columns:
                there = ", ".join(str(name) for name in frame.columns)
                raise BadInput(f"no column `{column}`; there are {there}")
        nested: dict[str, dict[str, Any]] = {}
        for query, document, number in zip(*(list(frame[column]) for column in columns)):
            nested.setdefault(str(query), {})[str(document)] = cls._number(number)
        return nested


class Qrels(_Nested):
    """Judgements, ``{query: {document: level}}``."""

    _field, _words, _number = "qrels", (4, 3), int
    qrels: dict[str, dict[str, int]]

    def __init__(
        self, qrels: Mapping[str, Mapping[str, int]] | None = None, name: str | None = None
    ) -> None:
        super().__init__(qrels, name)

    def set_relevance_level(self, rel_lvl: int = 1) -> None:
        """Lowers every level, so that this one is the lowest that counts."""
        for documents in self.qrels.values():
            for document in documents:
                documents[document] -= rel_lvl - 1

    def _lines(self) -> list[str]:
        return [f"{query} 0 {document} {level}" for query, document, level in self._rows()]

    @staticmethod
    def from_dict(d: Mapping[str, Mapping[str, int]]) -> Qrels:
        """Judgements of a dict."""
        return Qrels(d)

    @staticmethod
    def from_file(path: str, kind: str | None = None) -> Qrels:
        """Judgements of a file: JSON, TREC, or TREC packed by gzip."""
        return Qrels(Qrels._read(os.fspath(path), kind)[0])

    @staticmethod
    def from_df(
        df: Any, q_id_col: str = "q_id", doc_id_col: str = "doc_id", score_col: str = "score"
    ) -> Qrels:
        """Judgements of a frame."""
        return Qrels(Qrels._of_frame(df, (q_id_col, doc_id_col, score_col)))

    @staticmethod
    def from_parquet(
        path: str, q_id_col: str = "q_id", doc_id_col: str = "doc_id", score_col: str = "score",
        pd_kwargs: Mapping[str, Any] | None = None,
    ) -> Qrels:
        """Judgements of a Parquet file."""
        return Qrels.from_df(_parquet(path, pd_kwargs), q_id_col, doc_id_col, score_col)

    @staticmethod
    def from_ir_datasets(dataset_id: str) -> Qrels:
        """Not here: nothing is downloaded."""
        raise BadInput(
            f"{dataset_id}: nothing is downloaded here; take Qrels.from_dict("
            f"ir_datasets.load({dataset_id!r}).qrels_dict())"
        )


class Run(_Nested):
    """Retrieved documents with their scores, ``{query: {document: score}}``."""

    _field, _words, _number = "run", (6, 4), float
    run: dict[str, dict[str, float]]

    def __init__(
        self, run: Mapping[str, Mapping[str, float]] | None = None, name: str | None = None
    ) -> None:
        super().__init__(run, name)
        #: What `evaluate` found: `{metric: {query: value}}`, `{metric: mean}`, `{metric: deviation}`.
        self.scores: dict[str, dict[str, float]] = {}
        self.mean_scores: dict[str, float] = {}
        self.std_scores: dict[str, float] = {}
        self.metadata: dict[str, Any] = {}

    def make_comparable(self, qrels: Qrels) -> Run:
        """Takes the queries of judgements: others go, and those that are missing have no results."""
        self.run = {query: self.run.get(query, {}) for query in qrels.qrels}
        self.sort()
        return self

    def _lines(self) -> list[str]:
        return [
            f"{query} Q0 {document} {rank} {score} {self.name}"
            for query, documents in self.run.items()
            for rank, (document, score) in enumerate(
                sorted(documents.items(), key=lambda entry: -entry[1]), start=1
            )
        ]

    @staticmethod
    def from_dict(d: Mapping[str, Mapping[str, float]], name: str | None = None) -> Run:
        """The run of a dict."""
        return Run(d, name)

    @staticmethod
    def from_file(path: str, kind: str | None = None, name: str | None = None) -> Run:
        """The run of a file: JSON, TREC, or TREC packed by gzip."""
        nested, named = Run._read(os.fspath(path), kind)
        return Run(nested, name or named)

    @staticmethod
    def from_df(
        df: Any, q_id_col: str = "q_id", doc_id_col: str = "doc_id", score_col: str = "score",
        name: str | None = None,
    ) -> Run:
        """The run of a frame."""
        return Run(Run._of_frame(df, (q_id_col, doc_id_col, score_col)), name)

    @staticmethod
    def from_parquet(
        path: str, q_id_col: str = "q_id", doc_id_col: str = "doc_id", score_col: str = "score",
        pd_kwargs: Mapping[str, Any] | None = None, name: str | None = None,
    ) -> Run:
        """The run of a Parquet file."""
        return Run.from_df(_parquet(path, pd_kwargs), q_id_col, doc_id_col, score_col, name)

    @staticmethod
    def from_ranxhub(id: str) -> Run:
        """Not here: nothing is downloaded."""
        raise BadInput(f"{id}: nothing is downloaded here; take Run.from_file of a file that you have")


def _kind(path: str, kind: str | None) -> str:
    ending = os.path.splitext(os.fspath(path))[1][1:].lower()
    return kind or _KINDS.get(ending, ending)


def _parquet(path: str, settings: Mapping[str, Any] | None) -> Any:
    pandas = importlib.import_module("pandas")
    return pandas.read_parquet(path, **(settings or {}))
