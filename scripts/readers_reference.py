"""Makes what the tests of the local readers compare with.

    python3.11 -m venv reference
    reference/bin/pip install tensorflow-cpu==2.15.1 transformers==4.41.2 onnxruntime==1.31.1
    reference/bin/python scripts/readers_reference.py crates/readers/tests/models [FOLDER]

Writes one tiny model of random numbers for each architecture, with the token numbers, vectors and
logits that `transformers` gives for it (on TensorFlow, which has a small build for processors; the
classes are those of the same library). With FOLDER, which holds `minilm-l6`, `gte-small` and
`nli-xsmall`, it also writes what `transformers` gives for the real models, after onnxruntime has
given the same; nothing of the real models is kept.
"""

import json
import os
import sys
from pathlib import Path

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy
import tensorflow
import transformers
from safetensors.numpy import load_file, save_file
from tokenizers import (AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers,
                        processors, trainers)

SEED = 20261118
WIDTH, HEADS, LAYERS, INNER = 16, 2, 2, 24

STATEMENTS = [
    "Backups are tested once a year, and the result is written down.",
    "Nobody ever tests the backups.",
    "The tenant pays the rent on the first working day of the month.",
    "Access rights are reviewed twice a year by the owner of the system.",
    "Passwords have at least 12 characters; they are changed every 90 days.",
    "The supplier answers every request within 48 hours, unless the law says otherwise.",
    "Records are kept for seven years.",
    "Personal data is never sent outside the European Union.",
    "Café naïve — “quoted” 東京 tokyo's",
    "Laptops are encrypted with AES-256.",
    "",
    "x",
]
PARTS = [
    "Backups are tested every year.",
    "Access rights are reviewed regularly.",
    "Passwords are changed at least four times a year.",
    "Data leaves the Union.",
    "It is 100 % certain that records are destroyed after 5 years!",
]
LONG = " ".join(STATEMENTS[:3])
REAL_LONG = " ".join(STATEMENTS * 4)


def pairs():
    """Every part with statements short and long, empty and odd."""
    listed = [(statement, PARTS[index % len(PARTS)]) for index, statement in enumerate(STATEMENTS)]
    return listed + [(LONG, PARTS[0]), (PARTS[1], LONG), (STATEMENTS[5], "")]


def word_pieces(marks):
    """A tokenizer as BERT and MPNet have it."""
    begin, end, unknown, padding = marks
    tokenizer = Tokenizer(models.WordPiece(unk_token=unknown))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = [begin, padding, end, unknown, "[MASK]"]
    tokenizer.train_from_iterator(STATEMENTS + PARTS, trainers.WordPieceTrainer(
        vocab_size=150, special_tokens=special, show_progress=False))
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer, special


def byte_pairs():
    """A tokenizer as RoBERTa has it: pairs of bytes, the space before a word is part of it."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    tokenizer.train_from_iterator(STATEMENTS + PARTS, trainers.BpeTrainer(
        vocab_size=330, special_tokens=special, show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer, special


def likely_pieces(special, unknown):
    """A tokenizer as XLM-R and DeBERTa-v3 have it: the likeliest pieces, a mark before words."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([
        normalizers.Strip(), normalizers.NFKC(), normalizers.Replace("  ", " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    tokenizer.train_from_iterator(STATEMENTS + PARTS, trainers.UnigramTrainer(
        vocab_size=140, special_tokens=special, unk_token=unknown, show_progress=False))
    tokenizer.decoder = decoders.Metaspace()
    return tokenizer, special


def template(tokenizer, pair, begin, end):
    """Where the marks stand around one text and around two."""
    numbers = [(mark, tokenizer.token_to_id(mark)) for mark in (begin, end)]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}", pair=pair, special_tokens=numbers)
    return tokenizer


def bert_tokenizer():
    tokenizer, _ = word_pieces(("[CLS]", "[SEP]", "[UNK]", "[PAD]"))
    return template(tokenizer, "[CLS] $A [SEP] $B:1 [SEP]:1", "[CLS]", "[SEP]")


def mpnet_tokenizer():
    tokenizer, _ = word_pieces(("<s>", "</s>", "[UNK]", "<pad>"))
    tokenizer.post_processor = processors.RobertaProcessing(
        ("</s>", tokenizer.token_to_id("</s>")), ("<s>", tokenizer.token_to_id("<s>")),
        trim_offsets=False, add_prefix_space=False)
    return tokenizer


def roberta_tokenizer():
    tokenizer, _ = byte_pairs()
    tokenizer.post_processor = processors.RobertaProcessing(
        ("</s>", tokenizer.token_to_id("</s>")), ("<s>", tokenizer.token_to_id("<s>")))
    tokenizer.add_special_tokens([AddedToken("<mask>", lstrip=True)])
    return tokenizer


def xlmr_tokenizer():
    tokenizer, _ = likely_pieces(["<s>", "<pad>", "</s>", "<unk>"], "<unk>")
    return template(tokenizer, "<s> $A </s> </s> $B </s>", "<s>", "</s>")


def deberta_tokenizer():
    tokenizer, _ = likely_pieces(["[PAD]", "[CLS]", "[SEP]", "[UNK]"], "[UNK]")
    return template(tokenizer, "[CLS] $A [SEP] $B:1 [SEP]:1", "[CLS]", "[SEP]")


def common(tokenizer, places, **others):
    return dict(vocab_size=tokenizer.get_vocab_size(), hidden_size=WIDTH, num_hidden_layers=LAYERS,
                num_attention_heads=HEADS, intermediate_size=INNER, max_position_embeddings=places,
                hidden_act="gelu", layer_norm_eps=1e-5, **others)


THREE = {0: "contradiction", 1: "entailment", 2: "neutral"}
OTHER_THREE = {0: "ENTAILMENT", 1: "NEUTRAL", 2: "CONTRADICTION"}
TWO = {0: "not_entailment", 1: "entailment"}


def tiny_models():
    """Name, configuration, class, tokenizer; a number type where it is not 32-bit floats."""
    bert, mpnet, roberta = bert_tokenizer(), mpnet_tokenizer(), roberta_tokenizer()
    xlmr, deberta = xlmr_tokenizer(), deberta_tokenizer()
    padded = dict(pad_token_id=1, bos_token_id=0, eos_token_id=2)
    v3 = dict(relative_attention=True, position_buckets=8, norm_rel_ebd="layer_norm",
              share_att_key=True, pos_att_type=["p2c", "c2p"], position_biased_input=False,
              type_vocab_size=0, max_relative_positions=-1, pad_token_id=0,
              pooler_hidden_act="gelu", pooler_hidden_size=WIDTH)
    v2 = dict(v3, position_buckets=-1, max_relative_positions=24, share_att_key=False,
              norm_rel_ebd="none", position_biased_input=True, type_vocab_size=2)
    return [
        ("roberta-encoder", transformers.RobertaConfig(**common(roberta, 130, type_vocab_size=1, **padded)),
         transformers.TFRobertaModel, roberta, "f4"),
        ("mpnet-encoder", transformers.MPNetConfig(**common(mpnet, 130, **padded)),
         transformers.TFMPNetModel, mpnet, "f4"),
        ("xlmr-encoder", transformers.XLMRobertaConfig(**common(xlmr, 130, type_vocab_size=1, **padded)),
         transformers.TFXLMRobertaModel, xlmr, "f2"),
        ("bert-entailment", transformers.BertConfig(**common(bert, 130, pad_token_id=1), id2label=THREE),
         transformers.TFBertForSequenceClassification, bert, "f4"),
        ("roberta-entailment", transformers.RobertaConfig(
            **common(roberta, 130, type_vocab_size=1, **padded), id2label=TWO),
         transformers.TFRobertaForSequenceClassification, roberta, "f4"),
        ("xlmr-entailment", transformers.XLMRobertaConfig(
            **common(xlmr, 130, type_vocab_size=1, **padded), id2label=OTHER_THREE),
         transformers.TFXLMRobertaForSequenceClassification, xlmr, "f4"),
        ("deberta-v3-entailment", transformers.DebertaV2Config(**common(deberta, 130, **v3), id2label=THREE),
         transformers.TFDebertaV2ForSequenceClassification, deberta, "f4"),
        ("deberta-v2-entailment", transformers.DebertaV2Config(**common(deberta, 130, **v2), id2label=OTHER_THREE),
         transformers.TFDebertaV2ForSequenceClassification, deberta, "f4"),
    ]


def shapes(config, labels):
    """Names and shapes as PyTorch's classes write them."""
    kind, width = config.model_type, config.hidden_size
    listed = {"embeddings.word_embeddings.weight": (config.vocab_size, width)}
    if getattr(config, "position_biased_input", True):
        listed["embeddings.position_embeddings.weight"] = (config.max_position_embeddings, width)
    if kind != "mpnet" and config.type_vocab_size > 0:
        listed["embeddings.token_type_embeddings.weight"] = (config.type_vocab_size, width)

    def normal(name):
        listed.update({f"{name}.weight": (width,), f"{name}.bias": (width,)})

    def linear(name, inputs, outputs):
        listed.update({f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)})

    normal("embeddings.LayerNorm")
    if kind == "mpnet":
        listed["encoder.relative_attention_bias.weight"] = (config.relative_attention_num_buckets, config.num_attention_heads)
    if kind == "deberta-v2":
        span = config.position_buckets if config.position_buckets > 0 else config.max_relative_positions
        listed["encoder.rel_embeddings.weight"] = (2 * span, width)
        if "layer_norm" in config.norm_rel_ebd:
            normal("encoder.LayerNorm")
    for number in range(config.num_hidden_layers):
        layer = f"encoder.layer.{number}"
        names = {"mpnet": ["attn.q", "attn.k", "attn.v", "attn.o"],
                 "deberta-v2": ["self.query_proj", "self.key_proj", "self.value_proj", "output.dense"]}
        for name in names.get(kind, ["self.query", "self.key", "self.value", "output.dense"]):
            linear(f"{layer}.attention.{name}", width, width)
        if kind == "deberta-v2" and not config.share_att_key:
            linear(f"{layer}.attention.self.pos_key_proj", width, width)
            linear(f"{layer}.attention.self.pos_query_proj", width, width)
        normal(f"{layer}.attention.LayerNorm" if kind == "mpnet" else f"{layer}.attention.output.LayerNorm")
        linear(f"{layer}.intermediate.dense", width, config.intermediate_size)
        linear(f"{layer}.output.dense", config.intermediate_size, width)
        normal(f"{layer}.output.LayerNorm")
    prefix = {"bert": "bert.", "deberta-v2": "deberta."}.get(kind, "roberta.") if labels else ""
    listed = {prefix + name: shape for name, shape in listed.items()}
    if labels:
        if kind in ("bert", "deberta-v2"):
            linear("bert.pooler.dense" if kind == "bert" else "pooler.dense", width, width)
            linear("classifier", width, labels)
        else:
            linear("classifier.dense", width, width)
            linear("classifier.out_proj", width, labels)
    return listed


def write_tiny(folder, config, tokenizer, number_type, labels):
    """Random numbers large enough for every part to be seen in the result."""
    folder.mkdir(parents=True, exist_ok=True)
    random = numpy.random.default_rng([SEED, sum(map(ord, folder.name))])
    tensors = {}
    for name, shape in shapes(config, labels).items():
        values = random.normal(0.0, 0.45 if len(shape) == 2 else 0.3, shape)
        if "LayerNorm.weight" in name:
            values += 1.0
        tensors[name] = values.astype("<" + number_type)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    written = config.to_diff_dict()
    written.update({"model_type": config.model_type, "num_attention_heads": HEADS})
    if labels:
        written["id2label"] = config.id2label
    (folder / "config.json").write_text(json.dumps(written, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def ids_of(tokenizer, *texts):
    encoding = tokenizer.encode(*texts)
    return encoding.ids, encoding.type_ids


def given_by(model, config, ids, kinds):
    """What the reference gives for one text, alone: no padding has a say."""
    inputs = {"input_ids": tensorflow.constant([ids])}
    if getattr(config, "type_vocab_size", 0) > 1:
        inputs["token_type_ids"] = tensorflow.constant([kinds])
    output = model(**inputs)
    if hasattr(output, "logits"):
        return output.logits.numpy()[0]
    return output.last_hidden_state.numpy()[0].mean(axis=0)


def rounded(values):
    return [round(float(value), 6) for value in values]


def write_expected(file, rows):
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    file.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def opened(kind, folder, config):
    """The model of a folder. DeBERTa's own projections of places have other names on TensorFlow, so
    that it leaves them as they are made; they are put in by hand."""
    model = kind.from_pretrained(folder)
    if config.model_type == "deberta-v2" and not config.share_att_key:
        tensors = load_file(folder / "model.safetensors")
        for number, layer in enumerate(model.deberta.encoder.layer):
            attention = layer.attention.self
            for part, dense in [("key", attention.pos_key_proj), ("query", attention.pos_query_proj)]:
                name = f"deberta.encoder.layer.{number}.attention.self.pos_{part}_proj"
                dense.set_weights([tensors[f"{name}.weight"].T, tensors[f"{name}.bias"]])
    return model


def make_tiny(target):
    for name, config, kind, tokenizer, number_type in tiny_models():
        folder, labels = target / name, len(config.id2label) if "entailment" in name else 0
        write_tiny(folder, config, tokenizer, number_type, labels)
        model = opened(kind, folder, config)
        rows = []
        for premise, hypothesis in pairs() if labels else [(text, None) for text in STATEMENTS + [LONG]]:
            ids, kinds = ids_of(tokenizer, *([premise, hypothesis] if labels else [premise]))
            values = rounded(given_by(model, config, ids, kinds))
            row = {"premise": premise, "hypothesis": hypothesis, "ids": ids, "logits": values} if labels \
                else {"text": premise, "ids": ids, "vector": values}
            rows.append(row)
        write_expected(folder / "expected.json", rows)
        longest = max(len(row["ids"]) for row in rows)
        print(name, len(rows), "rows, up to", longest, "tokens,", (folder / "model.safetensors").stat().st_size, "bytes")


def onnx_given_by(file, ids, kinds):
    import onnxruntime
    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    named = {one.name for one in session.get_inputs()}
    given = {"input_ids": ids, "attention_mask": [1] * len(ids), "token_type_ids": kinds}
    inputs = {name: numpy.array([values], dtype=numpy.int64) for name, values in given.items() if name in named}
    return session.run(None, inputs)[0][0]


def make_real(target, folder):
    """The real models: `transformers` and onnxruntime must agree before a value is kept."""
    encoders = [("minilm-l6", transformers.TFBertModel), ("gte-small", transformers.TFBertModel)]
    for name, kind in encoders + [("nli-xsmall", transformers.TFDebertaV2ForSequenceClassification)]:
        tokenizer = Tokenizer.from_file(str(folder / name / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        model = kind.from_pretrained(folder / name)
        entails = name == "nli-xsmall"
        onnx = folder / name / ("model_f32.onnx" if entails else "model.onnx")
        rows, furthest = [], 0.0
        texts = STATEMENTS + PARTS + [LONG, REAL_LONG]
        for premise, hypothesis in pairs() + [(REAL_LONG, PARTS[0])] if entails else [(text, None) for text in texts]:
            ids, kinds = ids_of(tokenizer, *([premise, hypothesis] if entails else [premise]))
            values = given_by(model, model.config, ids, kinds)
            others = onnx_given_by(onnx, ids, kinds)
            others = others if entails else others.mean(axis=0)
            furthest = max(furthest, float(numpy.abs(values - others).max()))
            row = {"premise": premise, "hypothesis": hypothesis, "ids": ids, "logits": rounded(values)} if entails \
                else {"text": premise, "ids": ids, "vector": rounded(values)}
            rows.append(row)
        print(name, len(rows), "rows; transformers and onnxruntime differ by at most", furthest)
        assert furthest < 1e-3
        write_expected(target / f"{name}.json", rows)


def main():
    target = Path(sys.argv[1])
    make_tiny(target)
    if len(sys.argv) > 2:
        make_real(target, Path(sys.argv[2]))


main()
