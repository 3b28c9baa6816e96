"""What was recorded: the questions, the commands and the links, before it is known what they give."""

from typing import Any

QUESTIONS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "plain": ("landmarks", "What is the value of the Hubble constant?", {}),
    "no_reranker": ("landmarks", "How are planets found around other stars?", {"reranker": "off"}),
    "weights": (
        "landmarks",
        "Evidence for dark energy from supernovae",
        {"weighting": {"keywords": 0.5, "recency": 0.4, "citations": 0.7}},
    ),
    "paper_preset": (
        "landmarks",
        "Evidence for dark energy from supernovae",
        {"weighting": {"keywords": 1.0, "citations": 1.0, "preset": "paper", "citation_profile": "age-fair"}},
    ),
    "small_weights": (
        "landmarks",
        "atmospheres of transiting planets",
        {"weighting": {"title": 0.3, "position": 0.6, "coverage": 0.8, "diversity": 0.2, "rerank": 0.5}},
    ),
    "years_in_question": ("landmarks", "What was measured of hot Jupiters before 2005?", {}),
    "years_set": ("landmarks", "expansion of the universe", {"year_from": 1990, "year_to": 2010}),
    "expansion": ("landmarks", "H0 from SNe Ia", {"expands": True}),
    "own_names_and_parts": (
        "landmarks",
        "How do CMB and distance ladder differ, and what could explain it?",
        {"own_expansions": [["CMB", ["microwave background"]]], "decomposes": True},
    ),
    "passages_and_titles": ("landmarks", "the inflationary universe", {"passages": True, "titles": True}),
    "feedback_and_rounds": ("landmarks", "radial velocity surveys", {"imagine": "feedback", "depth": 1}),
    "words_alone": ("landmarks", "primordial nucleosynthesis abundances", {"sides": "sparse"}),
    "other_fusion": ("landmarks", "microlensing planets", {"fusion": "rrf", "extra_keywords": ["Exoplanets"]}),
    "bees_plain": ("bees", "When should mites be treated?", {}),
    "bees_meaning_alone": ("bees", "How does a swarm choose a new home?", {"sides": "dense"}),
    "bees_recent": ("bees", "honey from towns", {"weighting": {"recency": 0.8, "keywords": 0.5}, "year_from": 1990}),
}
"""By name: the corpus, the question, and fields of the request as plain data."""

L, B = ["--corpus", "landmarks"], ["--corpus", "bees"]
H0 = "What is the value of the Hubble constant?"

WITH_HELP = (
    *(("build",), ("info",), ("search",), ("similar",), ("ask",), ("consensus",), ("check",), ("map",), ("evaluate",)),
    *(("evaluate", name) for name in ("collection", "sweep", "make-single", "make-multi", "judged", "providers")),
)
"""Commands whose options are kept."""

WITH_HELP_SINCE_0_2 = (
    *(("features",), ("hypotheses",), ("shelf",), ("draft",), ("standing",), ("serve",)),
    *(("draft", name) for name in ("outline", "write", "export")),
    *(("standing", name) for name in ("add", "show")),
)
"""The same, of commands that 0.2.0 added."""

COMMANDS: dict[str, list[str]] = {
    # Search
    "search_json": ["search", H0, *L, "--json"],
    "search_text": ["search", H0, *L, "--top-k", "3"],
    "search_bees_json": ["search", "How do mites shorten the life of bees?", *B, "--json"],
    "search_years": ["search", "dark energy", *L, "--year-from", "1998", "--year-to", "2015", "--json"],
    "search_years_in_question": ["search", "planets found since 2005", *L, "--json"],
    "search_ignore_years": ["search", "planets found since 2005", *L, "--ignore-years", "--json"],
    "search_weights": [
        *["search", "expansion of the universe", *L, "--weight-keywords", "0.5", "--weight-time", "0.3"],
        *["--weight-citations", "0.8", "--citation-profile", "age-fair", "--time-midpoint", "20", "--json"],
    ],
    "search_all_weights": [
        *["search", "expansion of the universe", *L, "--weight-title", "0.5", "--weight-position", "0.3"],
        *["--weight-coverage", "0.8", "--weight-diversity", "0.4", "--weight-rerank", "0.6", "--json"],
    ],
    "search_paper_preset": [
        *["search", "expansion of the universe", *L, "--preset", "paper", "--weight-time", "1"],
        *["--weight-citations", "1", "--today", "2024-01-01", "--json"],
    ],
    "search_keywords": [
        *["search", "hot Jupiters and their winds", *L, "--keyword", "Exoplanets", "--drop-keyword", "winds"],
        *["--weight-keywords", "1", "--json"],
    ],
    "search_expand": ["search", "H0 from SNe Ia", *L, "--expand", "--json"],
    "search_expansion_map": ["search", "mites in the hive", *B, "--expansion-map", "names.json", "--json"],
    "search_decompose": [
        *["search", "How was dark energy found, and how are planets weighed?", *L, "--decompose", "--json"],
    ],
    "search_depth": ["search", "microlensing", *L, "--depth", "2", "--page-size", "3", "--json"],
    "search_feedback": ["search", "microlensing", *L, "--imagine", "feedback", "--hypothetical", "2", "--json"],
    "search_hyde_without_chat": ["search", "microlensing", *L, "--imagine", "hyde", "--json"],
    "search_dense": ["search", "swarms in houses", *B, "--sides", "dense", "--reranker", "off", "--json"],
    "search_sparse": ["search", "swarms in houses", *B, "--sides", "sparse", "--json"],
    "search_rrf": ["search", "swarms in houses", *B, "--fusion", "rrf", "--top-k", "30", "--json"],
    "search_passages_titles": ["search", "relic radiation", *L, "--passages", "--titles", "--json"],
    "search_passages_absent": ["search", "swarms in houses", *B, "--passages", "--titles", "--json"],
    "search_region": ["search", "planets", *L, "--region", "-100,-100;100,100", "--json"],
    "search_off_topic": ["search", "a recipe for tomato soup", *L, "--json"],
    # Similar
    "similar_papers": ["similar", "riess-2016", "--less", "hubble-1929", *L, "--json"],
    "similar_text": ["similar", "--text", "Bees that dance on a comb that lies flat", *B, "--top-k", "5", "--json"],
    "similar_place": ["similar", "--place", "0", "0", *L, "--json"],
    "similar_lines": ["similar", "bee-01", *B, "--year-from", "2000"],
    "similar_unknown": ["similar", "nobody-1900", *L],
    "similar_nothing": ["similar", *L],
    # Ask
    "ask_json": ["ask", H0, *L, "--json"],
    "ask_text": ["ask", H0, *L],
    "ask_extractive": ["ask", "When should mites be treated?", *B, "--generation", "extractive", "--json"],
    "ask_agent_without_chat": ["ask", "When should mites be treated?", *B, "--generation", "agent", "--json"],
    "ask_deep_research_without_chat": [
        *["ask", "When should mites be treated?", *B, "--generation", "deep-research", "--steps", "3", "--json"],
    ],
    "ask_self_feedback_without_chat": [
        *["ask", "When should mites be treated?", *B, "--generation", "self-feedback", "--json"],
    ],
    "ask_auto": [
        *["ask", "When should mites be treated?", *B, "--generation", "auto", "--specialisation", "auto", "--json"],
    ],
    "ask_bibliometric": [
        *["ask", "How many papers on dark energy did Riess write?", *L, "--specialisation", "bibliometric", "--json"],
    ],
    "ask_broad": ["ask", "What is known of hot Jupiters?", *L, "--specialisation", "broad", "--json"],
    "ask_single_paper": ["ask", "How old is the oldest comb?", *B, "--specialisation", "single-paper", "--json"],
    "ask_second_judge": ["ask", H0, *L, "--second-judge", "--seconds", "30", "--tokens", "5000", "--json"],
    "ask_how_to": ["ask", "How do I convert between FK5 and Galactic coordinates in astropy?", *L, "--json"],
    "ask_off_topic": ["ask", "Which football club won the cup?", *L, "--from-memory", "--json"],
    "rewrite_without_chat": ["ask", H0, *L, "--audience", "expert", "--language", "Spanish", "--json"],
    # Consensus, check
    "consensus_without_chat": ["consensus", "The expansion of the universe accelerates", *L, "--json"],
    "consensus_as_of": ["consensus", "Dark energy exists", *L, "--as-of", "2000", "--over-time", "--json"],
    "consensus_lines": ["consensus", "Mites shorten the life of bees", *B],
    "check_json": ["check", "check.json", "--json"],
    "check_meanings": ["check", "check.json", "--meanings", "--json"],
    "check_lines": ["check", "check.json"],
    "check_without_sources": ["check", "check-without-sources.json"],
    "check_not_json": ["check", "broken.jsonl"],
    "check_missing_file": ["check", "nowhere.json"],
    # Info, build
    "info_json": ["info", "landmarks", "--json"],
    "info_bees_json": ["info", "bees", "--json"],
    "info_verify": ["info", "landmarks", "--verify", "--json"],
    "info_lines": ["info", "bees"],
    "info_missing": ["info", "nowhere"],
    "build_small": ["build", "four.jsonl", "--out", "four", "--embedder", "fake:hash-16", "--snapshot", "2024-06-01"],
    "build_small_twice": ["build", "four.jsonl", "--out", "four"],
    "build_small_info": ["info", "four", "--json"],
    "build_small_search": ["search", "entrances of hives", "--corpus", "four", "--json"],
    "build_csv": [
        *["build", "papers.csv", "untidy/mixed.jsonl", "--out", "untidy-corpus", "--no-passages"],
        *["--embedder", "fake:hash-16", "--thesaurus", "thesaurus.json", "--reviews", "reviews.jsonl"],
    ],
    "build_csv_info": ["info", "untidy-corpus", "--json"],
    "build_broken": ["build", "broken.jsonl", "--out", "no-corpus", "--embedder", "fake:hash-16"],
    "build_missing_source": ["build", "nowhere.jsonl", "--out", "no-corpus", "--embedder", "fake:hash-16"],
    "build_nothing": ["build", "--out", "no-corpus"],
    "build_unknown_embedder": ["build", "four.jsonl", "--out", "no-corpus", "--embedder", "best"],
    "build_name_labels_without_chat": ["build", "--out", "bees", "--name-labels"],
    # Evaluate
    "evaluate_collection": ["evaluate", "collection", "collection", "--methods", "default,bm25,dense", "--json"],
    "evaluate_collection_lines": ["evaluate", "collection", "collection", "--methods", "bm25,tfidf"],
    "evaluate_collection_corpus": [
        *["evaluate", "collection", "collection", "--corpus", "bees", "--methods", "hybrid,bm25", "--json"],
    ],
    "evaluate_sweep": ["evaluate", "sweep", "collection", "--over", "fusion", "--json"],
    "evaluate_make_single": ["evaluate", "make-single", "bees", "--out", "made", "--n", "5", "--seed", "3"],
    "evaluate_made_collection": [
        *["evaluate", "collection", "made", "--corpus", "bees", "--methods", "bm25", "--json"],
    ],
    "evaluate_judged_without_chat": ["evaluate", "judged", "--questions", "collection/queries.jsonl", *B],
    "evaluate_providers_without_chat": ["evaluate", "providers", "--questions", "collection/queries.jsonl", *B],
    "evaluate_unknown_method": ["evaluate", "collection", "collection", "--methods", "best"],
    "evaluate_unknown_measure": ["evaluate", "collection", "collection", "--measures", "beauty"],
    "evaluate_missing": ["evaluate", "collection", "nowhere"],
    # Map
    "map_list": ["map", "--list", *L],
    "map_list_bees": ["map", "--list", *B],
    "map_svg": ["map", "--out", "map.svg", *L, "--width", "400", "--height", "300", "--question", "dark energy"],
    "map_png": [
        *["map", "--out", "map.png", *L, "--layer", "topics", "--ground", "relief", "--palette", "colour-blind"],
        *["--width", "400", "--height", "300", "--no-names", "--years", "1990-2010"],
    ],
    "map_html": ["map", "--out", "map.html", *L, "--layer", "reviews", "--view", "0,0,1", "--title", "My map"],
    "map_not_drawn": ["map", "--out", "bees.svg", *B],
    "map_no_file": ["map", *L],
    "map_wrong_suffix": ["map", "--out", "map.jpg", *L],
    "map_unknown_layer": ["map", "--out", "map.svg", "--layer", "unicorns", *L],
    "map_wrong_view": ["map", "--out", "map.svg", "--view", "1,2", *L],
    "map_years_upside_down": ["map", "--out", "map.svg", "--years", "2010-1990", *L],
    # What is refused
    "no_command": [],
    "unknown_command": ["serf"],
    "help": ["--help"],
    **{f"help_{'_'.join(words).replace('-', '_')}": [*words, "--help"] for words in WITH_HELP},
    "search_no_corpus": ["search", "x"],
    "search_missing_corpus": ["search", "x", "--corpus", "nowhere"],
    "search_empty": ["search", " ", *L],
    "search_top_k_too_large": ["search", "x", *L, "--top-k", "31"],
    "search_years_upside_down": ["search", "x", *L, "--year-from", "2020", "--year-to", "2010"],
    "search_weight_too_large": ["search", "x", *L, "--weight-time", "1.5"],
    "search_unknown_option": ["search", "x", *L, "--frobnicate"],
    "search_unknown_preset": ["search", "x", *L, "--preset", "best"],
    "search_unknown_reranker": ["search", "x", *L, "--reranker", "best"],
    "search_wrong_region": ["search", "x", *L, "--region", "here"],
    "search_broken_expansion_map": ["search", "x", *L, "--expansion-map", "names-broken.json"],
    "ask_unknown_generation": ["ask", "x", *L, "--generation", "guess"],
    "ask_no_steps": ["ask", "x", *L, "--steps", "0"],
    # Added by 0.2.0
    **{f"help_{'_'.join(words)}": [*words, "--help"] for words in WITH_HELP_SINCE_0_2},
    "search_as_of": ["search", "planets around other stars", *L, "--as-of", "2000", "--json"],
    "search_as_of_too_early": ["search", "planets around other stars", *L, "--as-of", "1500"],
    "search_steer_absent": ["search", "x", *L, "--steer", "dust=0.5"],
    "search_steer_too_large": ["search", "x", *L, "--steer", "dust=1.5"],
    "features_absent": ["features", "landmarks", "--json"],
    "hypotheses_json": ["hypotheses", "landmarks", "--json"],
    "shelf_add": ["shelf", "add", "landmarks", "mine", "riess-2016", "hubble-1929", "--json"],
    "shelf_show": ["shelf", "show", "landmarks", "mine", "--json"],
    "shelf_rename_unknown": ["shelf", "rename", "landmarks", "nowhere", "other"],
    "shelf_delete_unknown": ["shelf", "delete", "landmarks", "nowhere"],
    "draft_outline": ["draft", "outline", "landmarks", "mine", "--question", H0, "--new", "--json"],
    "draft_write_unknown": ["draft", "write", "landmarks", "nowhere"],
    "standing_list": ["standing", "list", "bees", "--json"],
    "standing_show_unknown": ["standing", "show", "bees", "nothing"],
    "serve_no_process": ["serve", *L, "--processes", "0"],
}
"""By name, in the order in which they are run."""

NEEDS: dict[str, tuple[str, str]] = {
    "build_small_twice": ("four", "build_small"),
    "build_small_info": ("four", "build_small"),
    "build_small_search": ("four", "build_small"),
    "build_csv_info": ("untidy-corpus", "build_csv"),
    "evaluate_made_collection": ("made", "evaluate_make_single"),
    "shelf_show": ("data/shelves.sqlite3", "shelf_add"),
    "draft_outline": ("data/shelves.sqlite3", "shelf_add"),
}
"""What a command reads that another one makes: the folder or file, and the name of the command."""

MADE_FILES: dict[str, tuple[str, ...]] = {
    "evaluate_make_single": ("made/queries.jsonl", "made/qrels.tsv"),
    "map_svg": ("map.svg",),
    "map_png": ("map.png",),
    "map_html": ("map.html",),
}
"""Files that a command makes, which are there afterwards; of lines of JSON and of tables, what is in them is kept."""

LINKS: dict[str, tuple[str, str]] = {
    "ask_empty": ("ask", ""),
    "ask_question": ("ask", "q=What+is+the+value+of+the+Hubble+constant%3F"),
    "ask_years": ("ask", "q=dark+energy&from=1998&to=2015&k=20"),
    "ask_ignores_years": ("ask", "q=planets+since+2005&years=0"),
    "ask_keywords": ("ask", "q=hot+Jupiters&keywords=Exoplanets%2C+Transits&without=winds"),
    "ask_weights": ("ask", "q=x&wk=0.5&wt=0.25&wc=1&preset=paper&citations=age-fair"),
    "ask_more_weights": ("ask", "q=x&wi=0.1&wp=0.2&wv=0.3&wd=0.4&wr=0"),
    "ask_imagine": ("ask", "q=x&imagine=hyde&hypothetical=3"),
    "ask_feedback_rounds": ("ask", "q=x&imagine=feedback&depth=2&page=10&parts=1"),
    "ask_names": ("ask", "q=x&expand=1&names=MW%3A+Milky+Way%2C+our+Galaxy%3B+BH%3A+black+hole"),
    "ask_passages": ("ask", "q=x&passages=1&titles=1&rerank=off"),
    "ask_cohere": ("ask", "q=x&rerank=cohere%3Arerank-v3.5"),
    "ask_region": ("ask", "q=x&region=1%2C2%3B3%2C2%3B3.5%2C4.25"),
    "ask_region_box": ("ask", "q=x&region=-1%2C-2%3B3%2C4"),
    "ask_agent": ("ask", "q=x&answer=agent&steps=8&seconds=120&tokens=40000"),
    "ask_deep_research": ("ask", "q=x&answer=deep-research"),
    "ask_self_feedback": ("ask", "q=x&answer=self-feedback&judge=1"),
    "ask_extractive_memory": ("ask", "q=x&answer=extractive&memory=1"),
    "ask_broad": ("ask", "q=x&answer=rag&as=broad"),
    "ask_bibliometric": ("ask", "q=x&as=bibliometric"),
    "ask_mangled": ("ask", "q=x&k=31&from=soon&wk=2&rerank=fake%3Awords&steps=99&unheard=1&years=2"),
    "ask_upside_down": ("ask", "q=x&from=2020&to=2010"),
    "compare_as_ask": ("compare", "q=dark+energy&wt=1&k=5"),
    "map_empty": ("map", ""),
    "map_view": ("map", "view=4.500%2C2.000%2C1.50&ground=relief&palette=colour-blind&names=0"),
    "map_layers": ("map", "layer=growth&layer=mission%3Ajwst&layer=topic%3Agalaxies&layer=author%3ARiess%2C+A"),
    "map_shelf": ("map", "layer=shelf%3Ahubble-1929%3Briess-2016&paper=riess-2016"),
    "map_years": ("map", "years=1990-2010"),
    "map_plays_years": ("map", "years=all&palette=contrast"),
    "map_found": ("map", "q=dark+energy&found=riess-1998&found=perlmutter-1999"),
    "map_region": ("map", "region=0%2C0%3B1%2C0%3B1%2C1&layer=gaps&layer=reviews"),
    "map_mangled": ("map", "view=1%2C2&years=2010-1990&ground=moon&names=2&unheard=1&layer=years"),
    "world_empty": ("world", ""),
    "world_kiosk": ("world", "kiosk=1&layer=years&palette=contrast"),
    "world_place": ("world", "view=1.000%2C2.000%2C3.00&place=Cosmology&paper=hubble-1929&years=1929-1990"),
    "world_mangled": ("world", "ground=relief&kiosk=yes&palette=pink"),
    "similar_like": ("similar", "like=riess-2016&like=freedman-2001&unlike=hubble-1929"),
    "similar_unknown": ("similar", "like=nobody-1900&like=riess-2016&unlike=riess-2016"),
}
"""By name: the page, and the query behind its address as a browser has it; the corpus is the one of landmarks."""
